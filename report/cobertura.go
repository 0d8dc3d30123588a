package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"
)

// The elements of coverage-04.dtd of Cobertura.
type (
	coberturaCoverage struct {
		XMLName         xml.Name           `xml:"coverage"`
		LineRate        string             `xml:"line-rate,attr"`
		BranchRate      string             `xml:"branch-rate,attr"`
		LinesCovered    int                `xml:"lines-covered,attr"`
		LinesValid      int                `xml:"lines-valid,attr"`
		BranchesCovered int                `xml:"branches-covered,attr"`
		BranchesValid   int                `xml:"branches-valid,attr"`
		Complexity      string             `xml:"complexity,attr"`
		Version         string             `xml:"version,attr"`
		Timestamp       string             `xml:"timestamp,attr"`
		Sources         []string           `xml:"sources>source"`
		Packages        []coberturaPackage `xml:"packages>package"`
	}
	coberturaPackage struct {
		Name       string           `xml:"name,attr"`
		LineRate   string           `xml:"line-rate,attr"`
		BranchRate string           `xml:"branch-rate,attr"`
		Complexity string           `xml:"complexity,attr"`
		Classes    []coberturaClass `xml:"classes>class"`
	}
	coberturaClass struct {
		Name       string          `xml:"name,attr"`
		Filename   string          `xml:"filename,attr"`
		LineRate   string          `xml:"line-rate,attr"`
		BranchRate string          `xml:"branch-rate,attr"`
		Complexity string          `xml:"complexity,attr"`
		Methods    coberturaList   `xml:"methods"`
		Lines      []coberturaLine `xml:"lines>line"`
	}
	coberturaList struct {
		Methods []coberturaMethod `xml:"method"`
	}
	coberturaMethod struct {
		Name       string          `xml:"name,attr"`
		Signature  string          `xml:"signature,attr"`
		LineRate   string          `xml:"line-rate,attr"`
		BranchRate string          `xml:"branch-rate,attr"`
		Complexity string          `xml:"complexity,attr"`
		Lines      []coberturaLine `xml:"lines>line"`
	}
	coberturaLine struct {
		Number     int    `xml:"number,attr"`
		Hits       int    `xml:"hits,attr"`
		Branch     bool   `xml:"branch,attr"`
		Conditions string `xml:"condition-coverage,attr,omitempty"`
	}
)

const coberturaDoctype = `<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">` + "\n"

// coberturaXML writes Cobertura's form: a file is a class, a folder a package.
func coberturaXML(w io.Writer, r *Result, o Options) error {
	c := coberturaCoverage{Complexity: "0", Version: "klabel", Timestamp: "0", Sources: []string{"."}}
	if o.Dir != "" {
		c.Sources[0] = o.Dir
	}
	if len(r.Runs) > 0 {
		c.Timestamp = strconv.FormatInt(r.Runs[0].Start.UnixMilli(), 10)
	}
	at := map[string]int{}
	sums := map[string][4]int{}
	for _, f := range r.files() {
		name := o.relative(f)
		dir := path.Dir(name)
		if _, ok := at[dir]; !ok {
			at[dir] = len(c.Packages)
			c.Packages = append(c.Packages, coberturaPackage{Name: dir, Complexity: "0"})
		}
		class := coberturaClass{Name: path.Base(name), Filename: name, Complexity: "0"}
		lines := map[int]coberturaLine{}
		rates := map[int][4]int{}
		for _, l := range f.Lines {
			branches, covered := l.branches()
			line := coberturaLine{Number: l.Number, Hits: l.Hits, Branch: branches > 0}
			if branches > 0 {
				line.Conditions = fmt.Sprintf("%d%% (%d/%d)", 100*covered/branches, covered, branches)
			}
			lines[l.Number] = line
			rates[l.Number] = [4]int{1, min(l.Hits, 1), branches, covered}
			class.Lines = append(class.Lines, line)
		}
		for _, fn := range f.Functions {
			m := coberturaMethod{Name: fn.Name, Complexity: "0"}
			var n [4]int
			for _, l := range fn.Lines {
				m.Lines = append(m.Lines, lines[l])
				n = add(n, rates[l])
			}
			m.LineRate, m.BranchRate = rate(n[1], n[0]), rate(n[3], n[2])
			class.Methods.Methods = append(class.Methods.Methods, m)
		}
		var n [4]int
		n[0], n[1], n[2], n[3] = f.sums()
		class.LineRate, class.BranchRate = rate(n[1], n[0]), rate(n[3], n[2])
		p := &c.Packages[at[dir]]
		p.Classes = append(p.Classes, class)
		sums[dir] = add(sums[dir], n)
		p.LineRate, p.BranchRate = rate(sums[dir][1], sums[dir][0]), rate(sums[dir][3], sums[dir][2])
		c.LinesValid, c.LinesCovered = c.LinesValid+n[0], c.LinesCovered+n[1]
		c.BranchesValid, c.BranchesCovered = c.BranchesValid+n[2], c.BranchesCovered+n[3]
	}
	c.LineRate, c.BranchRate = rate(c.LinesCovered, c.LinesValid), rate(c.BranchesCovered, c.BranchesValid)
	return writeXML(w, coberturaDoctype, c)
}

func add(a, b [4]int) [4]int { return [4]int{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]} }

// rate is a share as Cobertura writes it: none of nothing is 0.
func rate(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return strconv.FormatFloat(float64(part)/float64(whole), 'f', 4, 64)
}

func writeXML(w io.Writer, doctype string, v any) error {
	if _, err := io.WriteString(w, xml.Header+doctype); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

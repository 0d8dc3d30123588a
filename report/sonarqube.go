package report

import (
	"encoding/xml"
	"io"
)

// The elements of SonarQube's generic test coverage, version 1.
type (
	sonarCoverage struct {
		XMLName xml.Name    `xml:"coverage"`
		Version int         `xml:"version,attr"`
		Files   []sonarFile `xml:"file"`
	}
	sonarFile struct {
		Path  string      `xml:"path,attr"`
		Lines []sonarLine `xml:"lineToCover"`
	}
	sonarLine struct {
		Number   int  `xml:"lineNumber,attr"`
		Covered  bool `xml:"covered,attr"`
		Branches int  `xml:"branchesToCover,attr,omitempty"`
		Hit      *int `xml:"coveredBranches,attr"`
	}
)

// sonarXML writes SonarQube's generic form, for sonar.coverageReportPaths.
func sonarXML(w io.Writer, r *Result, o Options) error {
	c := sonarCoverage{Version: 1}
	for _, f := range r.files() {
		file := sonarFile{Path: o.relative(f)}
		for _, l := range f.Lines {
			branches, covered := l.branches()
			line := sonarLine{Number: l.Number, Covered: l.Hits > 0, Branches: branches}
			if branches > 0 {
				line.Hit = &covered
			}
			file.Lines = append(file.Lines, line)
		}
		c.Files = append(c.Files, file)
	}
	return writeXML(w, "", c)
}

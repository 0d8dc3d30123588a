// Package testcomp speaks the formats of the International Competition on
// Software Testing (Test-Comp): task definitions, property files that say what is
// to be covered, and the exchange format for test suites.
//
// It exists so that programs of the competition run as they are and its tools
// can read klabel's tests. It promises valid XML in the order that the DTDs
// ask for, and that the n-th input of a test answers the n-th call of a
// __VERIFIER_nondet function. Limits: inputs that a
// program takes in other ways have no place in the format.
package testcomp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"klabel/disk"
	"klabel/ktest"
)

// Goal is what a property asks for.
type Goal struct {
	Name     string   // "branches"
	Text     string   // the property, for metadata.xml
	Criteria []string // klabel's criteria for it
	// ErrorFunction is the function that a test must call, for the property
	// coverage-error-call.
	ErrorFunction string
}

var (
	cover     = regexp.MustCompile(`COVER\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*FQL\s*\(\s*COVER\s+EDGES\s*\(\s*@([A-Z]+)(?:\s*\(\s*([A-Za-z_][A-Za-z0-9_]*)\s*\))?\s*\)\s*\)\s*\)`)
	criterion = map[string]Goal{
		"DECISIONEDGE":    {Name: "branches", Criteria: []string{"DC"}},
		"CONDITIONEDGE":   {Name: "conditions", Criteria: []string{"CC"}},
		"BASICBLOCKENTRY": {Name: "statements", Criteria: []string{"BBC"}},
		"CALL":            {Name: "error-call"},
	}
)

// ParseProperty reads a property file such as coverage-branches.prp.
func ParseProperty(text string) (Goal, error) {
	m := cover.FindStringSubmatch(text)
	if m == nil {
		return Goal{}, fmt.Errorf("no property of the form COVER( init(main()), FQL(COVER EDGES(@...)) ) in %q",
			strings.TrimSpace(text))
	}
	g, ok := criterion[m[1]]
	if !ok || (m[1] == "CALL") != (m[2] != "") {
		return Goal{}, fmt.Errorf("the property covers @%s, which klabel does not know: @DECISIONEDGE, "+
			"@CONDITIONEDGE, @BASICBLOCKENTRY and @CALL(function) are", m[1])
	}
	g.Text, g.ErrorFunction = m[0], m[2]
	return g, nil
}

// ReadProperty reads a property file.
func ReadProperty(path string) (Goal, error) {
	text, err := disk.Read(path)
	if err != nil {
		return Goal{}, fmt.Errorf("reading the property: %w", err)
	}
	g, err := ParseProperty(string(text))
	if err != nil {
		return Goal{}, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// Suite is what metadata.xml says of a test suite.
type Suite struct {
	Producer      string
	Specification string
	Program       string // path of the program file
	EntryFunction string
	Bits          int // 32 or 64
	Created       time.Time
}

type metadata struct {
	XMLName       xml.Name `xml:"test-metadata"`
	Language      string   `xml:"sourcecodelang"`
	Producer      string   `xml:"producer"`
	Specification string   `xml:"specification"`
	Program       string   `xml:"programfile"`
	Hash          string   `xml:"programhash"`
	Entry         string   `xml:"entryfunction"`
	Architecture  string   `xml:"architecture"`
	Created       string   `xml:"creationtime"`
}

type testcase struct {
	XMLName     xml.Name `xml:"testcase"`
	CoversError string   `xml:"coversError,attr,omitempty"`
	Inputs      []value  `xml:"input"`
}

type value struct {
	Type string `xml:"type,attr,omitempty"`
	Text string `xml:",chardata"`
}

const header = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n"

const (
	metadataType = `<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" "https://sosy-lab.org/test-format/test-metadata-1.1.dtd">` + "\n"
	testcaseType = `<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">` + "\n"
)

// Test is a test of a suite.
type Test struct {
	Name        string // of the file, without .xml
	Test        *ktest.Test
	CoversError bool
}

// Write writes a suite into a folder. Test files of an earlier suite there are
// removed.
func Write(dir string, s Suite, tests []Test) error {
	program, err := disk.Read(s.Program)
	if err != nil {
		return fmt.Errorf("writing the test suite: %w", err)
	}
	sum := sha256.Sum256(program)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing the test suite: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.xml"))
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return fmt.Errorf("writing the test suite: %w", err)
		}
	}
	m := metadata{
		Language: "C", Producer: s.Producer, Specification: s.Specification, Program: s.Program,
		Hash:  hex.EncodeToString(sum[:]),
		Entry: s.EntryFunction, Architecture: fmt.Sprintf("%dbit", s.Bits),
		Created: s.Created.UTC().Format("2006-01-02T15:04:05Z"),
	}
	if err := write(filepath.Join(dir, "metadata.xml"), metadataType, m); err != nil {
		return err
	}
	for _, t := range tests {
		if t.Name == "metadata" {
			return fmt.Errorf("writing the test suite: a test cannot be called metadata")
		}
		c := testcase{Inputs: inputs(t.Test)}
		if t.CoversError {
			c.CoversError = "true"
		}
		if err := write(filepath.Join(dir, t.Name+".xml"), testcaseType, c); err != nil {
			return err
		}
	}
	return nil
}

func write(path, doctype string, v any) error {
	body, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := disk.Write(path, []byte(header+doctype+string(body)+"\n")); err != nil {
		return fmt.Errorf("writing the test suite: %w", err)
	}
	return nil
}

const nondet = "__VERIFIER_nondet_"

// inputs are the answers to the calls of nondet functions, in order.
func inputs(t *ktest.Test) (out []value) {
	for _, o := range t.StripChoices().Objects {
		if kind, ok := strings.CutPrefix(o.Name, nondet); ok {
			out = append(out, value{typeNames[kind], number(kind, o.Data)})
		}
	}
	return out
}

// typeNames are the C types of nondet functions, by the end of their names.
var typeNames = map[string]string{
	"bool": "bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
	"ushort": "unsigned short",
	"int":    "int", "uint": "unsigned int", "unsigned": "unsigned int", "unsigned_int": "unsigned int", "long": "long",
	"ulong":    "unsigned long",
	"longlong": "long long", "ulonglong": "unsigned long long", "float": "float", "double": "double",
	"size_t": "size_t",
	"int128": "__int128", "uint128": "unsigned __int128",
	"u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int", "u64": "unsigned long", "S8": "signed char",
	"U8": "unsigned char", "U16": "unsigned short", "U32": "unsigned int", "U64": "unsigned long",
}

func signed(kind string) bool {
	switch kind {
	case "char", "schar", "short", "int", "long", "longlong", "int128", "S8", "loff_t":
		return true
	}
	return false
}

// number writes the bytes of an input as a number, little-endian.
func number(kind string, data []byte) string {
	switch {
	case kind == "bool":
		if len(data) > 0 && data[0]&1 != 0 {
			return "1"
		}
		return "0"
	case kind == "float" && len(data) == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(little(data).Uint64()))), 'g', -1, 32)
	case kind == "double" && len(data) == 8:
		return strconv.FormatFloat(math.Float64frombits(little(data).Uint64()), 'g', -1, 64)
	}
	n := little(data)
	if signed(kind) && len(data) > 0 && data[len(data)-1]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return n.String()
}

func little(data []byte) *big.Int {
	reversed := make([]byte, len(data))
	for i, b := range data {
		reversed[len(data)-1-i] = b
	}
	return new(big.Int).SetBytes(reversed)
}

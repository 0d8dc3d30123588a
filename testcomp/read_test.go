package testcomp

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"klabel/ktest"
)

// Read reads the tests of a suite. The format need not say which function an
// input answers; then it counts for __VERIFIER_nondet_int, unless kinds, the
// functions in the order in which the program calls them, tells better.
func Read(dir string, kinds []string) (map[string]*ktest.Test, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.xml"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	out := map[string]*ktest.Test{}
	for _, f := range files {
		if filepath.Base(f) == "metadata.xml" {
			continue
		}
		body, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("reading the test suite: %w", err)
		}
		t, err := Parse(body, kinds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".xml")] = t
	}
	return out, nil
}

// Parse reads one test.
func Parse(body []byte, kinds []string) (*ktest.Test, error) {
	var c testcase
	if err := xml.Unmarshal(body, &c); err != nil {
		return nil, fmt.Errorf("this is no test of the exchange format: %w", err)
	}
	t := &ktest.Test{Args: []string{"program"}}
	for i, in := range c.Inputs {
		kind := "int"
		if i < len(kinds) {
			kind = kinds[i]
		} else if k := kindOf(in.Type); k != "" {
			kind = k
		}
		data, err := bytesOf(kind, strings.TrimSpace(in.Text))
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i+1, err)
		}
		t.Objects = append(t.Objects, ktest.Object{Name: nondet + kind, Data: data})
	}
	return t, nil
}

// kindOf is the nondet function for a C type.
func kindOf(typ string) string {
	var best string
	for kind, name := range typeNames {
		if name == typ && (best == "" || len(kind) < len(best) || len(kind) == len(best) && kind < best) {
			best = kind
		}
	}
	if typ == "unsigned int" {
		return "uint"
	}
	return best
}

var sizes = map[string]int{
	"bool": 1, "char": 1, "schar": 1, "uchar": 1, "u8": 1, "S8": 1, "U8": 1, "short": 2, "ushort": 2, "u16": 2,
	"U16":  2,
	"long": 8, "ulong": 8, "longlong": 8, "ulonglong": 8, "u64": 8, "U64": 8, "size_t": 8, "pointer": 8, "pchar": 8,
	"loff_t":   8,
	"sector_t": 8, "pthread_t": 8, "int128": 16, "uint128": 16, "double": 8,
}

// bytesOf writes a number as the bytes of an input.
func bytesOf(kind, text string) ([]byte, error) {
	size := sizes[kind]
	if size == 0 {
		size = 4
	}
	out := make([]byte, size)
	switch kind {
	case "float", "double":
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", text)
		}
		if kind == "float" {
			binary.LittleEndian.PutUint32(out, math.Float32bits(float32(v)))
		} else {
			binary.LittleEndian.PutUint64(out, math.Float64bits(v))
		}
		return out, nil
	}
	if len(text) == 3 && text[0] == '\'' && text[2] == '\'' {
		out[0] = text[1]
		return out, nil
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return nil, fmt.Errorf("%q is no number", text)
	}
	if n.Sign() < 0 {
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	b := n.Bytes()
	if len(b) > size || n.Sign() < 0 {
		return nil, fmt.Errorf("%s does not fit into %s", text, kind)
	}
	for i := range b {
		out[i] = b[len(b)-1-i]
	}
	return out, nil
}

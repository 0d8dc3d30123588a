package replayer

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"

	"klabel/toolchain"
)

// symbols maps addresses of the replay program to source lines, by its debug
// information: the sanitizers' own way starts a process for each report.
type symbols struct {
	binary string
	once   sync.Once
	lines  []sourceLine // sorted by address
}

type sourceLine struct {
	address uint64
	file    string
	line    int // 0 ends a sequence
}

func newSymbols(binary string) *symbols { return &symbols{binary: binary} }

// runtimeFiles are sources of klabel's runtime, never the place of an error.
const runtimeFiles = "/replay/"

// place returns "file:line" for an offset (hexadecimal) into a module, or "".
func (s *symbols) place(module, offset string) string {
	if module != toolchain.ProgramAnywhere && filepath.Base(module) != filepath.Base(s.binary) {
		return ""
	}
	n, err := strconv.ParseUint(offset, 16, 64)
	if err != nil || n == 0 {
		return ""
	}
	s.once.Do(func() { s.lines = readLines(s.binary) })
	// A return address belongs to the instruction before it.
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].address > n-1 }) - 1
	if i < 0 || s.lines[i].line == 0 || strings.Contains(s.lines[i].file, runtimeFiles) {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.lines[i].file, s.lines[i].line)
}

// readLines reads the line table; without one, or with one that cannot be
// read, reports lack their place and nothing else.
func readLines(binary string) (lines []sourceLine) {
	f, err := elf.Open(binary)
	if err != nil {
		return nil
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		return nil
	}
	r := d.Reader()
	for {
		unit, err := r.Next()
		if unit == nil || err != nil {
			break
		}
		r.SkipChildren()
		if unit.Tag != dwarf.TagCompileUnit {
			continue
		}
		if lr, err := d.LineReader(unit); err == nil && lr != nil {
			dir, _ := unit.Val(dwarf.AttrCompDir).(string)
			lines = append(lines, unitLines(lr, dir+"/")...)
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].address < lines[j].address })
	return lines
}

// unitLines names files as #line named them: relative ones come joined to the
// directory in which the compiler ran.
func unitLines(r *dwarf.LineReader, dir string) (lines []sourceLine) {
	var e dwarf.LineEntry
	for r.Next(&e) == nil {
		if e.Line == 0 && !e.EndSequence {
			continue // what the compiler put in belongs to the line before
		}
		l := sourceLine{address: e.Address}
		if !e.EndSequence && e.File != nil {
			l.file, l.line = strings.TrimPrefix(e.File.Name, dir), e.Line
		}
		lines = append(lines, l)
	}
	return lines
}

package ir

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Location is a place in the user's source.
type Location struct {
	File      string
	Line      int
	Column    int
	Function  string
	InlinedAt int // metadata number of the DILocation of the call, -1 if none
}

// node returns the text of a metadata node.
func (m *Module) node(n int) string {
	if r, ok := m.meta[n]; ok {
		return m.src[r.start:r.end]
	}
	return ""
}

// field finds "key: value" at the top level of a specialised node.
func field(node, key string) string {
	for from := 0; ; {
		i := strings.Index(node[from:], key+": ")
		if i < 0 {
			return ""
		}
		i += from
		from = i + len(key)
		if i > 0 && node[i-1] != '(' && node[i-1] != ' ' {
			continue
		}
		v := node[i+len(key)+2:]
		if strings.HasPrefix(v, "\"") {
			if j := strings.IndexByte(v[1:], '"'); j >= 0 {
				return v[1 : 1+j]
			}
			return ""
		}
		if j := strings.IndexAny(v, ",)"); j >= 0 {
			return v[:j]
		}
		return v
	}
}

func ref(s string) int {
	if !strings.HasPrefix(s, "!") {
		return -1
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil {
		return -1
	}
	return n
}

// Location resolves a DILocation, or a DISubprogram for the place of its
// definition. ok is false if there is none.
func (m *Module) Location(dbg int) (loc Location, ok bool) {
	if dbg < 0 {
		return Location{InlinedAt: -1}, false
	}
	if l, ok := m.metaLocs[dbg]; ok {
		return l, l.Line > 0
	}
	node := m.node(dbg)
	loc.InlinedAt = ref(field(node, "inlinedAt"))
	loc.Line, _ = strconv.Atoi(field(node, "line"))
	loc.Column, _ = strconv.Atoi(field(node, "column"))
	scope := node
	if strings.Contains(node, "!DILocation(") {
		scope = m.node(ref(field(node, "scope")))
	}
	loc.File = m.fileName(ref(field(scope, "file")))
	for i := 0; i < 64 && !strings.Contains(scope, "!DISubprogram("); i++ {
		scope = m.node(ref(field(scope, "scope")))
	}
	loc.Function = field(scope, "name")
	m.metaLocs[dbg] = loc
	return loc, loc.Line > 0
}

func (m *Module) fileName(n int) string {
	node := m.node(n)
	name, dir := field(node, "filename"), field(node, "directory")
	if name == "" || filepath.IsAbs(name) || dir == "" {
		return name
	}
	return filepath.Join(dir, name)
}

package expr

import "encoding/binary"

// Var is a named array of symbolic bytes.
type Var struct {
	ID   uint32
	Name string
	Size int
	base uint64 // position of byte 0 in the builder's byte space, a multiple of 8
}

// Base is the position of the variable's first byte in the builder's byte space.
func (v *Var) Base() uint64 { return v.base }

// span is a half-open range of positions in the byte space.
type span struct{ from, to uint64 }

// VarSet is an immutable set of variable bytes, as sorted disjoint ranges. Equal
// sets of one builder are usually the same pointer.
type VarSet struct{ spans []span }

// Intersects reports whether the sets share a byte.
func (s *VarSet) Intersects(t *VarSet) bool {
	if s == nil || t == nil {
		return false
	}
	if s == t {
		return true
	}
	i, j := 0, 0
	for i < len(s.spans) && j < len(t.spans) {
		a, b := s.spans[i], t.spans[j]
		switch {
		case a.to <= b.from:
			i++
		case b.to <= a.from:
			j++
		default:
			return true
		}
	}
	return false
}

// Contains reports whether t is a subset of s.
func (s *VarSet) Contains(t *VarSet) bool {
	if t == nil || s == t {
		return true
	}
	if s == nil {
		return false
	}
	i := 0
	for _, b := range t.spans {
		for i < len(s.spans) && s.spans[i].to < b.to {
			i++
		}
		if i == len(s.spans) || s.spans[i].from > b.from {
			return false
		}
	}
	return true
}

// Bytes returns the number of bytes in the set.
func (s *VarSet) Bytes() int {
	if s == nil {
		return 0
	}
	n := 0
	for _, p := range s.spans {
		n += int(p.to - p.from)
	}
	return n
}

// Each calls f with each maximal range of positions.
func (s *VarSet) Each(f func(from, to uint64)) {
	if s == nil {
		return
	}
	for _, p := range s.spans {
		f(p.from, p.to)
	}
}

// varSets interns sets and remembers unions.
type varSets struct {
	byText map[string]*VarSet
	unions map[[2]*VarSet]*VarSet
}

const maxVarSets = 1 << 18

func (t *varSets) intern(spans []span) *VarSet {
	if t.byText == nil || len(t.byText) > maxVarSets {
		t.byText = make(map[string]*VarSet)
		t.unions = make(map[[2]*VarSet]*VarSet)
	}
	var small [128]byte
	key := small[:0]
	for _, p := range spans {
		key = binary.AppendUvarint(key, p.from)
		key = binary.AppendUvarint(key, p.to)
	}
	if s := t.byText[string(key)]; s != nil {
		return s
	}
	s := &VarSet{spans: append([]span(nil), spans...)}
	t.byText[string(key)] = s
	return s
}

func (t *varSets) union(a, b *VarSet) *VarSet {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	key := [2]*VarSet{a, b}
	if s, ok := t.unions[key]; ok {
		return s
	}
	var s *VarSet
	switch {
	case a.Contains(b):
		s = a
	case b.Contains(a):
		s = b
	default:
		s = t.intern(mergeSpans(a.spans, b.spans))
	}
	if len(t.unions) > maxVarSets {
		t.unions = make(map[[2]*VarSet]*VarSet)
	}
	t.unions[key] = s
	return s
}

func mergeSpans(a, b []span) []span {
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var p span
		if len(b) == 0 || len(a) > 0 && a[0].from <= b[0].from {
			p, a = a[0], a[1:]
		} else {
			p, b = b[0], b[1:]
		}
		if n := len(out); n > 0 && out[n-1].to >= p.from {
			out[n-1].to = max(out[n-1].to, p.to)
		} else {
			out = append(out, p)
		}
	}
	return out
}

package csource

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Edits collects changes to a text and applies them all at once. Offsets always
// count in the original text. Edits nest: a wrap around a wider span stands
// outside one around a narrower span, whatever the order of the calls.
//
//	At one offset the text comes out in this order:
//	  what closes spans that end here, the narrowest first;
//	  plain insertions, in the order of the calls;
//	  what opens spans that begin here, the widest first.
//
// Of two wraps of the same span the later is the outer one.
type Edits struct {
	text []byte
	ops  []editOp
}

type opKind uint8

const (
	opClose opKind = iota
	opInsert
	opOpen
	opReplace
)

type editOp struct {
	at   int
	kind opKind
	span Span
	seq  int
	text string
}

// NewEdits starts a set of edits of text.
func NewEdits(text []byte) *Edits { return &Edits{text: text} }

// Edits starts a set of edits of the unit's text.
func (u *Unit) Edits() *Edits { return NewEdits(u.Text) }

func (e *Edits) add(o editOp) {
	o.seq = len(e.ops)
	e.ops = append(e.ops, o)
}

// Insert puts text at an offset. Insertions at one offset keep the order of
// the calls.
func (e *Edits) Insert(off int, text string) {
	e.add(editOp{at: off, kind: opInsert, span: Span{off, off}, text: text})
}

// Wrap puts text before and after a span.
func (e *Edits) Wrap(s Span, before, after string) {
	if before != "" {
		e.add(editOp{at: s.Start, kind: opOpen, span: s, text: before})
	}
	if after != "" {
		e.add(editOp{at: s.End, kind: opClose, span: s, text: after})
	}
}

// Replace puts text, which has no newline, in place of a span. Newlines and
// directives of the span are kept behind the text, so that line numbers stay
// true. Edits strictly within the span are dropped; those at its ends stay.
func (e *Edits) Replace(s Span, text string) {
	var b strings.Builder
	b.WriteString(text)
	rest := e.text[s.Start:s.End]
	for {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		b.WriteByte('\n')
		rest = rest[i+1:]
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		if t := bytes.TrimLeft(line, " \t"); len(t) > 0 && t[0] == '#' {
			b.Write(line)
		}
	}
	e.add(editOp{at: s.Start, kind: opReplace, span: s, text: b.String()})
}

// Len is the number of edits.
func (e *Edits) Len() int { return len(e.ops) }

// Piece is a part of an edited text that was not in the original: Out is where
// it stands, Was what it replaced.
type Piece struct {
	Out Span
	Was string
}

// Apply returns the edited text.
func (e *Edits) Apply() []byte {
	out, _ := e.apply(false)
	return out
}

// ApplyPieces returns the edited text and the pieces that were put in, so that
// Remove can take them out again.
func (e *Edits) ApplyPieces() ([]byte, []Piece) { return e.apply(true) }

func (e *Edits) apply(want bool) ([]byte, []Piece) {
	ops := slices.Clone(e.ops)
	slices.SortFunc(ops, func(a, b editOp) int {
		if c := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)); c != 0 {
			return c
		}
		switch a.kind {
		case opClose: // narrowest first
			return cmp.Or(cmp.Compare(b.span.Start, a.span.Start), cmp.Compare(a.seq, b.seq))
		case opOpen: // widest first
			return cmp.Or(cmp.Compare(b.span.End, a.span.End), cmp.Compare(b.seq, a.seq))
		case opReplace: // the widest holds the others
			return cmp.Or(cmp.Compare(b.span.End, a.span.End), cmp.Compare(a.seq, b.seq))
		}
		return cmp.Compare(a.seq, b.seq)
	})
	size := len(e.text)
	for _, o := range ops {
		size += len(o.text)
	}
	out := make([]byte, 0, size)
	var pieces []Piece
	if want {
		pieces = make([]Piece, 0, len(ops))
	}
	pos := 0
	for _, o := range ops {
		if o.at < pos || o.kind == opReplace && o.span.Start < pos {
			continue // inside a replaced span
		}
		out = append(out, e.text[pos:o.at]...)
		pos = o.at
		start := len(out)
		out = append(out, o.text...)
		was := ""
		if o.kind == opReplace {
			was, pos = string(e.text[pos:o.span.End]), o.span.End
		}
		if want {
			pieces = append(pieces, Piece{Span{start, len(out)}, was})
		}
	}
	return append(out, e.text[pos:]...), pieces
}

// Remove takes the pieces out of an edited text again: the result is the
// original, byte for byte.
func Remove(edited []byte, pieces []Piece) []byte {
	out := make([]byte, 0, len(edited))
	pos := 0
	for _, p := range pieces {
		out = append(out, edited[pos:p.Out.Start]...)
		out = append(out, p.Was...)
		pos = p.Out.End
	}
	return append(out, edited[pos:]...)
}

// Package ktest reads and writes the .ktest format, in which KLEE and klabel's
// own engine hand over the inputs of a test.
//
// It promises that what it writes is valid for KLEE's own tools, that parsing
// and writing again gives the same bytes, and that a file which lies about its
// lengths costs no more memory than its own size. Limits:
// which object means what to a program is the business of the replay runtime.
//
// All integers are 32 bits, big-endian: magic "KTEST" (or the older "BOUT\n"),
// version, arguments (each: length, bytes), from version 2 on two integers
// that describe symbolic argument vectors, then objects (each: length of the
// name, name, size, bytes).
package ktest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
)

// Version is the version that KLEE writes today, and the one that New tests get.
const Version = 3

const (
	magic    = "KTEST"
	oldMagic = "BOUT\n"
)

// Object is one symbolic object: an input of the program.
type Object struct {
	Name string
	Data []byte
}

// Test is one test: the command line and the inputs, in the order in which the
// program asks for them. Names need not be unique: order tells them apart.
type Test struct {
	Args       []string
	SymArgvs   uint32 // of KLEE's POSIX runtime; versions 2 and later
	SymArgvLen uint32
	Objects    []Object

	// Version of the file that the test was read from; 0 is written as Version.
	Version uint32
	// OldMagic says that the file began with "BOUT\n".
	OldMagic bool
}

// FormatError says where and why a file is not a test.
type FormatError struct {
	Offset int
	What   string
	// Truncated is true if the file is the beginning of a test: it may become
	// one when whoever writes it goes on.
	Truncated bool
}

func (e *FormatError) Error() string {
	if e.Truncated {
		return fmt.Sprintf("the test is cut off at byte %d, in the middle of %s", e.Offset, e.What)
	}
	return fmt.Sprintf("not a test: %s at byte %d", e.What, e.Offset)
}

// Parse reads a whole test. The result shares no memory with b. Errors are
// *FormatError.
func Parse(b []byte) (*Test, error) {
	p := parser{rest: b}
	t := p.test()
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}

// mostBytes bounds what ReadFile takes into memory: a file with holes costs no disk.
const mostBytes = 1 << 30

// ReadFile parses the file at path; errors name it.
func ReadFile(path string) (*Test, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path) // reading it may never end
	} else if err == nil && fi.Size() > mostBytes {
		return nil, fmt.Errorf("%s: larger than %d GB", path, mostBytes>>30)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// parser consumes a file from the front; after the first error it yields zeros.
type parser struct {
	rest   []byte
	offset int
	err    *FormatError
}

func (p *parser) fail(truncated bool, what string) {
	if p.err == nil {
		p.err = &FormatError{Offset: p.offset, What: what, Truncated: truncated}
	}
}

func (p *parser) take(n uint32, what string) []byte {
	if p.err != nil {
		return nil
	}
	if uint64(n) > uint64(len(p.rest)) {
		p.fail(true, what)
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	p.offset += int(n)
	return b
}

func (p *parser) u32(what string) uint32 {
	b := p.take(4, what)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

// count reads the number of things that follow, each at least least bytes
// long, so that a lying number fails before anything is allocated for it.
func (p *parser) count(least int, what string) int {
	n := p.u32(what)
	if p.err == nil && uint64(n)*uint64(least) > uint64(len(p.rest)) {
		p.fail(true, what)
	}
	if p.err != nil {
		return 0
	}
	return int(n)
}

func (p *parser) test() *Test {
	t := &Test{}
	head := p.rest
	if len(head) > len(magic) {
		head = head[:len(magic)]
	}
	switch {
	case string(head) == magic:
	case string(head) == oldMagic:
		t.OldMagic = true
	case bytes.HasPrefix([]byte(magic), head), bytes.HasPrefix([]byte(oldMagic), head):
		p.fail(true, "the magic word")
		return nil
	default:
		p.fail(false, "no magic word KTEST")
		return nil
	}
	p.take(uint32(len(magic)), "the magic word")
	t.Version = p.u32("the version")
	if p.err == nil && (t.Version < 1 || t.Version > Version) {
		p.fail(false, fmt.Sprintf("version %d (known: 1 to %d)", t.Version, Version))
		return nil
	}
	for n := p.count(4, "the arguments"); n > 0 && p.err == nil; n-- {
		t.Args = append(t.Args, string(p.take(p.u32("an argument's length"), "an argument")))
	}
	if t.Version >= 2 {
		t.SymArgvs = p.u32("the symbolic arguments")
		t.SymArgvLen = p.u32("the symbolic arguments")
	}
	for n := p.count(8, "the objects"); n > 0 && p.err == nil; n-- {
		name := string(p.take(p.u32("a name's length"), "an object's name"))
		data := p.take(p.u32("an object's size"), "object "+name)
		t.Objects = append(t.Objects, Object{Name: name, Data: bytes.Clone(data)})
	}
	if p.err == nil && len(p.rest) > 0 {
		p.fail(false, fmt.Sprintf("%d bytes too many", len(p.rest)))
	}
	return t
}

// Bytes writes the test, in the version it was read in.
func (t *Test) Bytes() []byte {
	version := t.Version
	if version == 0 {
		version = Version
	}
	b := make([]byte, 0, t.size())
	if t.OldMagic {
		b = append(b, oldMagic...)
	} else {
		b = append(b, magic...)
	}
	b = binary.BigEndian.AppendUint32(b, version)
	b = binary.BigEndian.AppendUint32(b, length(len(t.Args)))
	for _, a := range t.Args {
		b = binary.BigEndian.AppendUint32(b, length(len(a)))
		b = append(b, a...)
	}
	if version >= 2 {
		b = binary.BigEndian.AppendUint32(b, t.SymArgvs)
		b = binary.BigEndian.AppendUint32(b, t.SymArgvLen)
	}
	b = binary.BigEndian.AppendUint32(b, length(len(t.Objects)))
	for _, o := range t.Objects {
		b = binary.BigEndian.AppendUint32(b, length(len(o.Name)))
		b = append(b, o.Name...)
		b = binary.BigEndian.AppendUint32(b, length(len(o.Data)))
		b = append(b, o.Data...)
	}
	return b
}

func (t *Test) size() int {
	n := len(magic) + 5*4
	for _, a := range t.Args {
		n += 4 + len(a)
	}
	for _, o := range t.Objects {
		n += 8 + len(o.Name) + len(o.Data)
	}
	return n
}

// length saturates: a part of 4 GiB or more cannot be written in this format,
// and no test comes near it.
func length(n int) uint32 {
	if int64(n) > math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(n)
}

package exec

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/label"
)

// recorder keeps what an exploration writes.
type recorder struct {
	tests    []*Test
	warnings []string
}

func (r *recorder) Test(t *Test) error  { r.tests = append(r.tests, t); return nil }
func (r *recorder) Message(string)      {}
func (r *recorder) Warning(line string) { r.warnings = append(r.warnings, line) }

// suffixes lists the kinds of tests, sorted.
func (r *recorder) suffixes() string {
	var out []string
	for _, t := range r.tests {
		out = append(out, t.Suffix)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// statuses is a view of labels.
type statuses map[uint32]label.Status

func (v statuses) Status(id uint32) label.Status { return v[id] }
func (v statuses) Claim(id uint32) bool {
	open := v[id].Open()
	v[id] = label.Pending
	return open
}

const declarations = `
@x = private constant [2 x i8] c"x\00"
declare i32 @klee_int(ptr)
declare void @klee_silent_exit(i32)
declare void @klee_assume(i64)
declare void @abort()
declare i32 @unknown(i32)
declare ptr @unknown_text()
declare void @unknown_end()
declare i32 @klabel_wants(i32)
declare void @klabel_label(i32, i32)
`

// explore runs a program in LLVM's text; it may use what is declared above.
func explore(t *testing.T, text string, labels Labels, o Options) (*recorder, Stats) {
	t.Helper()
	m, err := ir.Parse("test.ll", []byte(declarations+text))
	if err != nil {
		t.Fatal(err)
	}
	link, err := ir.Link([]*ir.Module{m}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := code.Load(link, expr.NewBuilder(), nil, Knows)
	if err != nil {
		t.Fatal(err)
	}
	var r recorder
	stats, err := New(p, &r, labels, o).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if stats.Internal > 0 {
		t.Errorf("internal errors: %q", r.warnings)
	}
	return &r, stats
}

// TestOperations: for each operation the engine finds an input with a given
// result, and the input has it.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		op   string // %r is computed from %x
		want uint32
		is   func(x uint32) uint32
	}{
		{"%r = add i32 %x, 77", 5, func(x uint32) uint32 { return x + 77 }},
		{"%r = sub i32 3, %x", 5, func(x uint32) uint32 { return 3 - x }},
		{"%r = mul i32 %x, 12345", 5, func(x uint32) uint32 { return x * 12345 }},
		{"%r = udiv i32 %x, 1000", 4294966, func(x uint32) uint32 { return x / 1000 }},
		{"%r = sdiv i32 %x, -7", 100, func(x uint32) uint32 { return uint32(int32(x) / -7) }},
		{"%r = srem i32 %x, 10", 0xfffffffd, func(x uint32) uint32 { return uint32(int32(x) % 10) }},
		{"%r = urem i32 %x, 10", 6, func(x uint32) uint32 { return x % 10 }},
		{"%r = shl i32 %x, 3", 0x80000008, func(x uint32) uint32 { return x << 3 }},
		{"%r = ashr i32 %x, 30", 0xfffffffe, func(x uint32) uint32 { return uint32(int32(x) >> 30) }},
		{"%r = lshr i32 %x, 30", 2, func(x uint32) uint32 { return x >> 30 }},
		{"%a = and i32 %x, 255\n%b = or i32 %a, 256\n%r = xor i32 %b, 1", 0x14c, func(x uint32) uint32 { return (x&255 | 256) ^ 1 }},
		{"%a = trunc i32 %x to i8\n%r = sext i8 %a to i32", 0xffffff80, func(x uint32) uint32 { return uint32(int8(x)) }},
		{"%a = trunc i32 %x to i7\n%r = zext i7 %a to i32", 99, func(x uint32) uint32 { return x & 127 }},
		{"%a = icmp slt i32 %x, -5\n%r = select i1 %a, i32 %x, i32 9", 0x80000001, func(x uint32) uint32 { return x }},
		{"%r = call i32 @llvm.bswap.i32(i32 %x)", 0x11223344, bits.ReverseBytes32},
		{"%r = call i32 @llvm.ctpop.i32(i32 %x)", 31, func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }},
		{"%r = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 12)", 0x12345678, func(x uint32) uint32 { return bits.RotateLeft32(x, 12) }},
		{"%v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %x, i32 2\n%w = mul <4 x i32> %v, %v\n" +
			"%r = extractelement <4 x i32> %w, i32 2", 49, func(x uint32) uint32 { return x * x }},
		{"%v = insertelement <2 x i32> zeroinitializer, i32 %x, i32 1\n%l = bitcast <2 x i32> %v to i64\n%h = lshr i64 %l, 40\n" +
			"%r = trunc i64 %h to i32", 0xabcdef, func(x uint32) uint32 { return x >> 8 }},
		{"%i = and i32 %x, 3\n%r = extractelement <4 x i32> <i32 7, i32 8, i32 9, i32 10>, i32 %i", 10,
			func(x uint32) uint32 { return 7 + x&3 }},
		{"%v = insertelement <4 x i32> zeroinitializer, i32 %x, i32 0\n%s = shufflevector <4 x i32> %v, <4 x i32> undef, <4 x i32> zeroinitializer\n" +
			"%r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %s)", 44, func(x uint32) uint32 { return 4 * x }},
		{"%w = zext i32 %x to i96\n%m = mul i96 %w, 4294967296\n%h = lshr i96 %m, 40\n%r = trunc i96 %h to i32", 0xabcdef,
			func(x uint32) uint32 { return x >> 8 }},
	} {
		r, stats := explore(t, fmt.Sprintf(`
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define i32 @main() {
  %%x = call i32 @klee_int(ptr @x)
  %s
  %%c = icmp eq i32 %%r, %d
  br i1 %%c, label %%found, label %%out
found:
  call void @abort()
  unreachable
out:
  ret i32 0
}`, c.op, c.want), nil, Options{})
		if r.suffixes() != " abort.err" || len(stats.Incomplete) > 0 {
			t.Errorf("%s: tests %q, %q", c.op, r.suffixes(), stats.Incomplete)
			continue
		}
		for _, test := range r.tests {
			x := binary.LittleEndian.Uint32(test.Objects[0].Data)
			if (c.is(x) == c.want) != (test.Suffix == "abort.err") {
				t.Errorf("%s: %d gives %d, test %q", c.op, x, c.is(x), test.Suffix)
			}
		}
	}
}

// TestEnds: how paths end, and what that says of the whole.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		body       string // of main; ends with a return
		suffixes   string
		incomplete string // a part of the reason, "" for a complete exploration
		partial    uint64
	}{
		"normal":   {"", "", "", 0},
		"silent":   {"call void @klee_silent_exit(i32 0)", "silent", "", 0},
		"abort":    {"call void @abort()", "abort.err", "", 0},
		"division": {"%d = sdiv i32 8, %x", " div.err", "", 0},
		"overflow": {"%d = sdiv i32 -2147483648, %x", " div.err overflow.err", "", 0},
		"shift":    {"%d = shl i32 1, %x", " overshift.err", "", 0},
		"null":     {"store i32 1, ptr null", "ptr.err", "", 0},
		"beyond": {"%i = sext i32 %x to i64\n%a = alloca [4 x i32]\n" +
			"%p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i\nstore i32 1, ptr %p",
			" ptr.err", "", 0},
		"constant":   {"store i8 1, ptr @x", "read_only.err", "", 0},
		"vector":     {"%e = insertelement <2 x i32> zeroinitializer, i32 1, i32 %x", " bad_vector_access.err", "", 0},
		"assumption": {"%c = icmp ugt i32 %x, 9\n%z = zext i1 %c to i64\ncall void @klee_assume(i64 %z)", "", "", 0},
		"unknown":    {"%u = call i32 @unknown(i32 1)", " early", "unknown function", 0},
		"its result": {"%u = call i32 @unknown(i32 1)\n%d = sdiv i32 8, %u", "early early",
			"behind a call of the unknown function", 1},
		"a pointer":   {"%u = call ptr @unknown_text()", "early", "unknown function", 1},
		"for good":    {"call void @unknown_end()\nunreachable\nrest:", "early", "unknown function", 1},
		"assembly":    {"call void asm sideeffect \"hlt\", \"\"()", "early", "inline assembly", 1},
		"recursion":   {"call void @again()", "early", "recursion deeper", 1},
		"unsupported": {"%f = fadd half 0xH3C00, 0xH3C00", "?", "?", 0},
	} {
		r, stats := explore(t, `
define void @again() {
  call void @again()
  ret void
}
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  `+c.body+`
  ret i32 0
}`, nil, Options{})
		if c.suffixes == "?" { // another may learn to do it; but never as an error of the program
			if s := r.suffixes(); s != "" && s != "early" {
				t.Errorf("%s: tests %q", name, s)
			}
			continue
		}
		if want := strings.TrimPrefix(c.suffixes, "silent"); r.suffixes() != want || c.suffixes == "silent" &&
			len(r.tests) > 0 {
			t.Errorf("%s: tests %q, want %q", name, r.suffixes(), want)
		}
		why := strings.Join(stats.Incomplete, "; ")
		if (why == "") != (c.incomplete == "") || !strings.Contains(why, c.incomplete) || stats.Partial != c.partial {
			t.Errorf("%s: incomplete %q, want %q; %d paths given up", name, why, c.incomplete, stats.Partial)
		}
	}
}

// TestLabels: what is asked of a label where it stands. Label 1 is in question.
func TestLabels(t *testing.T) {
	for name, c := range map[string]struct {
		predicate  string // %p is an i32
		after      string
		covered    bool
		infeasible bool
	}{
		"possible":   {"%c = icmp eq i32 %x, 5\n%p = zext i1 %c to i32", "", true, false},
		"impossible": {"%c = icmp ugt i32 %y, 3\n%p = zext i1 %c to i32", "", false, true},
		"it fails":   {"%p = sdiv i32 8, %y", "", true, false},
		"only fails": {"%z = and i32 %y, 0\n%p = sdiv i32 8, %z", "", false, true},
		"gives up":   {"%p = call i32 @unknown(i32 1)", "", false, false},
		"then error": {"%c = icmp eq i32 %x, 5\n%p = zext i1 %c to i32",
			"%d = icmp eq i32 %x, 5\nbr i1 %d, label %bad, label %good", false, true},
		"then known": {"%c = icmp ult i32 %x, 9\n%p = zext i1 %c to i32",
			"%d = icmp eq i32 %x, 5\nbr i1 %d, label %bad, label %good", true, false},
	} {
		after := c.after
		if after == "" {
			after = "br label %good"
		}
		view := statuses{}
		r, stats := explore(t, `
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %y = and i32 %x, 3
  %w = call i32 @klabel_wants(i32 1)
  %wanted = icmp ne i32 %w, 0
  br i1 %wanted, label %ask, label %go
ask:
  `+c.predicate+`
  call void @klabel_label(i32 1, i32 %p)
  br label %go
go:
  `+after+`
bad:
  call void @abort()
  unreachable
good:
  ret i32 0
}`, view, Options{Greybox: true})
		covered := false
		for _, test := range r.tests {
			covered = covered || test.Suffix == "assert.err"
		}
		if covered != c.covered || slices.Contains(stats.Infeasible, 1) != c.infeasible {
			t.Errorf("%s: covered %v, infeasible %v; tests %q, %q", name, covered, stats.Infeasible, r.suffixes(),
				stats.Incomplete)
		}
	}
}

// TestFailingPredicate: a predicate that fails under some values does not hide
// the labels that these values cover.
func TestFailingPredicate(t *testing.T) {
	view := statuses{}
	r, stats := explore(t, `
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %w = call i32 @klabel_wants(i32 1)
  %wanted = icmp ne i32 %w, 0
  br i1 %wanted, label %ask, label %go
ask:
  %d = sdiv i32 8, %x
  call void @klabel_label(i32 1, i32 %d)
  br label %go
go:
  %u = call i32 @klabel_wants(i32 2)
  %too = icmp ne i32 %u, 0
  br i1 %too, label %second, label %end
second:
  %z = icmp eq i32 %x, 0
  %p = zext i1 %z to i32
  call void @klabel_label(i32 2, i32 %p)
  br label %end
end:
  ret i32 0
}`, view, Options{Greybox: true})
	if view[1] != label.Pending || view[2] != label.Pending || len(stats.Incomplete) > 0 {
		t.Errorf("%v, tests %q, %q", view, r.suffixes(), stats.Incomplete)
	}
}

// TestFailingLabels: where failing tests count, a label that is only met before an
// error has a test, though the error is known from elsewhere, and is not infeasible.
func TestFailingLabels(t *testing.T) {
	for _, failing := range []bool{false, true} {
		r, stats := explore(t, `
declare void @abort()
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %w = call i32 @klabel_wants(i32 1)
  %wanted = icmp ne i32 %w, 0
  br i1 %wanted, label %ask, label %go
ask:
  %p = icmp eq i32 %x, 77
  %z = zext i1 %p to i32
  call void @klabel_label(i32 1, i32 %z)
  br label %go
go:
  %c = icmp ult i32 %x, 50
  br i1 %c, label %bad, label %next
next:
  %d = icmp ult i32 %x, 90
  br i1 %d, label %bad, label %end
bad:
  call void @abort()
  unreachable
end:
  ret i32 0
}`, statuses{}, Options{Greybox: true, Failing: failing})
		if got := slices.Contains(stats.Infeasible, 1); got == failing {
			t.Errorf("failing tests count: %v; infeasible: %v", failing, stats.Infeasible)
		}
		if got := strings.Contains(r.suffixes(), "assert.err"); got != failing { // what a label's test is called
			t.Errorf("failing tests count: %v; tests %q", failing, r.suffixes())
		}
	}
}

package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"klabel/label"
)

const wantsLabel = `
  %%w%[1]d = call i32 @klabel_wants(i32 %[1]d)
  %%k%[1]d = icmp ne i32 %%w%[1]d, 0
  br i1 %%k%[1]d, label %%yes%[1]d, label %%next%[1]d
yes%[1]d:
  %%y%[1]d = load i32, ptr %%n
  %%e%[1]d = icmp eq i32 %%y%[1]d, %[2]d
  %%z%[1]d = zext i1 %%e%[1]d to i32
  call void @klabel_label(i32 %[1]d, i32 %%z%[1]d)
  br label %%next%[1]d
next%[1]d:
`

// TestMergeCounts: a count of bits is one path, and labels in the arms are decided.
func TestMergeCounts(t *testing.T) {
	var s strings.Builder
	s.WriteString("define i32 @main() {\n  %n = alloca i32\n  store i32 0, ptr %n\n  %x = call i32 @klee_int(ptr @x)\n")
	for i := range 8 {
		fmt.Fprintf(&s, "  %%b%[1]d = and i32 %%x, %[2]d\n", i, 1<<i)
		if i%2 == 0 {
			fmt.Fprintf(&s, "  %%c%[1]d = icmp ne i32 %%b%[1]d, 0\n"+
				"  br i1 %%c%[1]d, label %%t%[1]d, label %%j%[1]d\nt%[1]d:\n", i)
		} else {
			fmt.Fprintf(&s, "  %%c%[1]d = icmp eq i32 %%b%[1]d, 0\n"+
				"  br i1 %%c%[1]d, label %%j%[1]d, label %%t%[1]d\nt%[1]d:\n", i)
		}
		if i == 5 {
			fmt.Fprintf(&s, wantsLabel, 1, 4)
			fmt.Fprintf(&s, wantsLabel, 2, 6)
		}
		fmt.Fprintf(&s, "  %%v%[1]d = load i32, ptr %%n\n  %%i%[1]d = add i32 %%v%[1]d, 1\n"+
			"  store i32 %%i%[1]d, ptr %%n\n  br label %%j%[1]d\nj%[1]d:\n", i)
	}
	fmt.Fprintf(&s, wantsLabel+"  ret i32 0\n}\n", 3, 8)
	view := statuses{1: label.Unknown, 2: label.Unknown, 3: label.Unknown}
	r, stats := explore(t, s.String(), view, Options{Greybox: true, Merge: true})
	if stats.Forks != 0 || stats.Completed != 1 || stats.Merged != 8 {
		t.Errorf("%d forks, %d paths, %d branches merged", stats.Forks, stats.Completed, stats.Merged)
	}
	met := view[1] == label.Pending && view[3] == label.Pending
	if got := r.suffixes(); !strings.Contains(got, "assert.err") || !met {
		t.Errorf("tests %q, labels %v", got, view)
	}
	if !slices.Equal(stats.Infeasible, []uint32{2}) || len(stats.Incomplete) > 0 {
		t.Errorf("infeasible: %v; incomplete: %q", stats.Infeasible, stats.Incomplete)
	}
}

// TestMergeArms: an arm that can fail, or has effects, or decides an address makes the path
// fork; without the option every arm does.
func TestMergeArms(t *testing.T) {
	for _, c := range []struct {
		arm    string
		merged uint64
	}{
		{"store i32 7, ptr %n", 1},
		{"%d = udiv i32 %x, 7\nstore i32 %d, ptr %n", 1},
		{"%d = udiv i32 7, %x\nstore i32 %d, ptr %n", 0},
		{"%d = sdiv i32 %x, -1\nstore i32 %d, ptr %n", 0},
		{"%d = shl i32 1, %x\nstore i32 %d, ptr %n", 0},
		{"%d = load i32, ptr %unset\nstore i32 %d, ptr %n", 0},
		{"store i32 7, ptr %unset", 0},
		{"store i32 2, ptr %index", 0},
		{"store ptr %n, ptr %p", 0},
		{"%d = load i32, ptr null\nstore i32 %d, ptr %n", 0},
		{"call i32 @unknown(i32 1)", 0},
		{"call void @abort()", 0},
		{"%q = and i32 %x, 3\n%e = getelementptr [4 x i32], ptr %a, i32 0, i32 %q\n" +
			"%d = load i32, ptr %e\nstore i32 %d, ptr %n", 1},
		{"%e = getelementptr [4 x i32], ptr %a, i32 0, i32 %x\n%d = load i32, ptr %e\nstore i32 %d, ptr %n", 0},
	} {
		text := `
define i32 @main() {
  %n = alloca i32
  %unset = alloca i32
  %index = alloca i32
  %p = alloca ptr
  %a = alloca [4 x i32]
  store i32 0, ptr %n
  store i32 1, ptr %index
  store ptr null, ptr %p
  store [4 x i32] [i32 4, i32 5, i32 6, i32 7], ptr %a
  %x = call i32 @klee_int(ptr @x)
  %c = icmp slt i32 %x, 100
  br i1 %c, label %then, label %join
then:
` + c.arm + `
  br label %join
join:
  %i = load i32, ptr %index
  %at = getelementptr [4 x i32], ptr %a, i32 0, i32 %i
  %v = load i32, ptr %at
  ret i32 %v
}
`
		for _, on := range []bool{true, false} {
			want := uint64(0)
			if on {
				want = c.merged
			}
			_, stats := explore(t, text, nil, Options{Merge: on})
			if stats.Merged != want || want == 0 && stats.Forks == 0 {
				t.Errorf("%q, merge %v: %d merged, %d forks", c.arm, on, stats.Merged, stats.Forks)
			}
		}
	}
}

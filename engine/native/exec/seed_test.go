package exec

import (
	"encoding/binary"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/label"
)

// hidden has label 1 where a product that no solver takes apart in a millisecond
// has one value, and label 2 where another input is 7, too.
const hidden = `
@y = private constant [2 x i8] c"y\00"
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %y = call i32 @klee_int(ptr @y)
  %w = zext i32 %x to i64
  %a = mul i64 %w, %w
  %b = mul i64 %a, %w
  %c = mul i64 %b, 11400714819323198485
  %d = lshr i64 %c, 29
  %e = xor i64 %d, %b
  %h = mul i64 %e, %e
  %k = icmp eq i64 %h, HASH
  br i1 %k, label %in, label %out
in:
  %w1 = call i32 @klabel_wants(i32 1)
  %q1 = icmp ne i32 %w1, 0
  br i1 %q1, label %l1, label %on
l1:
  call void @klabel_label(i32 1, i32 1)
  br label %on
on:
  %s = icmp eq i32 %y, 7
  br i1 %s, label %seven, label %out
seven:
  %w2 = call i32 @klabel_wants(i32 2)
  %q2 = icmp ne i32 %w2, 0
  br i1 %q2, label %l2, label %out
l2:
  call void @klabel_label(i32 2, i32 1)
  br label %out
out:
  ret i32 0
}`

func hash(x uint32) uint64 {
	w := uint64(x)
	b := w * w * w
	e := b*11400714819323198485>>29 ^ b
	return e * e
}

func TestSeedLeadsBesideItsPath(t *testing.T) {
	const key = 0x12345677
	text := strings.Replace(hidden, "HASH", strconv.FormatUint(hash(key), 10), 1)
	run := func(seeds <-chan []Object) (found map[uint32]bool, stats Stats) {
		labels := statuses{1: label.Unknown, 2: label.Unknown}
		r, stats := explore(t, text, labels, Options{Greybox: true, SolverTime: time.Millisecond, Seeds: seeds})
		found = map[uint32]bool{}
		for id, s := range labels {
			found[id] = s == label.Pending
		}
		for _, o := range r.tests {
			if o.Suffix == "assert.err" && hash(binary.LittleEndian.Uint32(o.Objects[0].Data)) != hash(key) {
				t.Errorf("a test for a label has x %v", o.Objects[0].Data)
			}
		}
		return found, stats
	}
	if found, stats := run(nil); found[1] || found[2] || len(stats.Infeasible) > 0 || len(stats.Incomplete) == 0 {
		t.Fatalf("the program is too easy: %v %+v", found, stats)
	}
	seeds := make(chan []Object, 3)
	wrong := []Object{{"x", make([]byte, 4)}, {"y", make([]byte, 4)}}
	right := []Object{{"x", binary.LittleEndian.AppendUint32(nil, key)}, {"y", make([]byte, 4)}}
	seeds <- wrong
	seeds <- []Object{{"another", []byte{1}}}
	seeds <- right
	found, stats := run(seeds)
	if !found[1] || !found[2] {
		t.Errorf("beside the seed: %v %+v", found, stats)
	}
	if len(stats.Infeasible) > 0 {
		t.Errorf("infeasible: %v", stats.Infeasible)
	}
}

// A seed changes the order in which paths are explored, not what they are.
func TestSeedsLeaveExplorationsComplete(t *testing.T) {
	const text = `
@y = private constant [2 x i8] c"y\00"
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %y = call i32 @klee_int(ptr @y)
  %a = icmp ult i32 %x, 100
  br i1 %a, label %low, label %next
low:
  br label %next
next:
  %b = icmp eq i32 %y, 3
  br i1 %b, label %three, label %last
three:
  br label %last
last:
  %c = icmp ugt i32 %x, 1000
  br i1 %c, label %big, label %out
big:
  br label %out
out:
  ret i32 0
}`
	_, plain := explore(t, text, statuses{}, Options{Greybox: true})
	seeds := make(chan []Object, 8)
	for i := range 8 {
		seeds <- []Object{{"x", binary.LittleEndian.AppendUint32(nil, uint32(i*300))},
			{"y", binary.LittleEndian.AppendUint32(nil, uint32(i))}}
	}
	close(seeds)
	_, seeded := explore(t, text, statuses{}, Options{Greybox: true, Seeds: seeds})
	if seeded.Seeds == 0 || seeded.Completed != plain.Completed || len(seeded.Incomplete) > 0 {
		t.Errorf("without %+v\nwith %+v", plain, seeded)
	}
}

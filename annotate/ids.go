package annotate

import (
	"bytes"
	"fmt"
	"sort"

	"klabel/disk"
	"klabel/fault"
	"klabel/label"
)

// Numbers of several files: each file has a block of its own, larger than it
// needs, so that a change in one file leaves the numbers of the others as they
// are. A file that outgrows its block gets a new one behind all others; where
// the blocks are is read from the label file of the run before.

// block is a range of numbers.
type block struct {
	first label.ID
	size  int // 0: open, the only file
}

func (b block) end() int { return int(b.first) + b.size }

// assign gives every file its block.
func assign(srcs []*source, first label.ID, labelFile string) error {
	var good []*source
	total := 0
	for _, s := range srcs {
		if s.err == nil {
			good = append(good, s)
			total += s.count
		}
	}
	if int(first)+total > int(label.MaxID)+1 {
		hint := "label fewer functions (--functions, --files) or criteria at once"
		if first > 1 {
			hint = "a lower --first-id, or fewer functions (--functions, --files) or criteria at once"
		}
		return fault.WithHint(fmt.Errorf("%d labels from number %d on do not fit into the numbers up to %d", total,
			first, label.MaxID), "%s", hint)
	}
	if len(srcs) == 1 {
		for _, s := range good {
			s.block = block{first: first}
		}
		return nil
	}
	before := previous(labelFile, srcs)
	sort.SliceStable(good, func(i, j int) bool { return good[i].path < good[j].path })
	for unit := 4096; unit >= 1; unit /= 4 {
		if place(good, int(first), unit, before) {
			return nil
		}
	}
	return fmt.Errorf("%d labels of %d files do not fit into the numbers up to %d", total, len(good), label.MaxID)
}

// place tries blocks that are multiples of a unit, at least half a unit larger
// than needed where there is room for that.
func place(good []*source, first, unit int, before map[string]block) bool {
	next := first
	for _, s := range good {
		if b, ok := before[s.path]; ok && s.count <= b.size {
			s.block = b
			next = max(next, b.end())
		} else {
			s.block = block{}
		}
	}
	for _, s := range good {
		if s.block.size > 0 {
			continue
		}
		size := (s.count + unit/2 + unit) / unit * unit
		s.block = block{label.ID(next), size}
		next += size
	}
	return next <= int(label.MaxID)+1
}

// previous reads where the blocks were, from comments in the label file.
func previous(labelFile string, srcs []*source) map[string]block {
	text, err := disk.Read(labelFile)
	if err != nil {
		return nil
	}
	known := map[string]bool{}
	for _, s := range srcs {
		known[s.path] = true
	}
	out := map[string]block{}
	for _, l := range bytes.Split(text, []byte("\n")) {
		var path string
		var b block
		if n, _ := fmt.Sscanf(string(l), blockFormat, &b.first, &b.size, &path); n == 3 && known[path] && b.size > 0 {
			out[path] = b
		}
	}
	return out
}

// blockFormat is a comment in the label file.
const blockFormat = "# block %d %d %q"

func blockLines(srcs []*source) []byte {
	var b bytes.Buffer
	for _, s := range srcs {
		if s.err == nil && s.block.size > 0 {
			fmt.Fprintf(&b, blockFormat+"\n", s.block.first, s.block.size, s.path)
		}
	}
	return b.Bytes()
}

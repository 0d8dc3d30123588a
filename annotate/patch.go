package annotate

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
)

// patchCoverage: PATCH, every basic block that a diff changes is entered. A
// line that was only taken out counts for the block that the gap is in.
type patchCoverage struct{}

func (patchCoverage) mark(f *function, tag string) {
	ch := f.p.opts.changes
	if len(ch) == 0 {
		return
	}
	for _, b := range f.blocks() {
		if f.changed(b, ch) {
			b.site.add("1", tag)
		}
	}
}

// changed reports whether a line of the block's own code is in the diff.
func (f *function) changed(b *basicBlock, ch changes) bool {
	for _, o := range b.own {
		file, from := f.Unit.LineOf(o.start)
		_, to := f.Unit.LineOf(max(o.start, o.end-1))
		if ch.touches(file, from, to) {
			return true
		}
	}
	return false
}

// changes are the lines of the new side of a diff, by file, sorted.
type changes map[string][]int

func (c changes) touches(file string, from, to int) bool {
	for name, lines := range c {
		if !sameFile(name, file) {
			continue
		}
		i := sort.SearchInts(lines, from)
		if i < len(lines) && lines[i] <= to {
			return true
		}
	}
	return false
}

// sameFile compares a path of a diff, which starts at the project's root, with
// one of the compiler.
func sameFile(diff, path string) bool {
	diff, path = filepath.Clean(diff), filepath.Clean(path)
	return diff == path || strings.HasSuffix(path, "/"+diff) || strings.HasSuffix(diff, "/"+path)
}

// loadChanges reads the diff that PATCH is about.
func (o *Options) loadChanges(ctx context.Context, dir string) error {
	switch {
	case o.changes != nil:
		return nil
	case o.Patch != "" && o.Revisions != "":
		return fault.WithHint(fault.Usagef("--patch and --revisions both name a diff"), "give one of them")
	case o.Patch != "":
		text, err := disk.Read(o.Patch)
		if err != nil {
			return fault.Usagef("the diff cannot be read: %v", err)
		}
		o.changes, err = parseDiff(text)
		return err
	case o.Revisions != "":
		if strings.HasPrefix(o.Revisions, "-") {
			return fault.WithHint(fault.Usagef("%q is not a revision range", o.Revisions),
				"--revisions HEAD~3..HEAD")
		}
		if _, err := toolchain.Run(ctx, toolchain.Command{Argv: []string{"git", "rev-parse", "--git-dir"},
			Dir: dir}); err != nil {
			return fmt.Errorf("--revisions %s: git, asked in %s: %w", o.Revisions, dir, err)
		}
		var out bytes.Buffer
		argv := []string{"git", "diff", "--no-color", "--no-ext-diff", "-U0", "--relative", o.Revisions, "--"}
		if _, err := toolchain.Run(ctx, toolchain.Command{Argv: argv, Dir: dir, Stdout: &out}); err != nil {
			return fmt.Errorf("git cannot compare %s: %w", o.Revisions, err)
		}
		var err error
		o.changes, err = parseDiff(out.Bytes())
		return err
	}
	return fault.WithHint(fault.Usagef("PATCH needs a diff"), "--patch FILE or --revisions A..B")
}

// parseDiff reads a unified diff: the lines added or changed on the new side,
// and the line behind which something was taken out.
func parseDiff(text []byte) (changes, error) {
	out := changes{}
	file := ""
	line, oldLeft, newLeft := 0, 0, 0
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 16<<20)
	hunks := 0
	gap := false // lines were taken out between line-1 and line, none put in
	flush := func() {
		if gap {
			out.add(file, line-1)
			out.add(file, line)
			gap = false
		}
	}
	for n := 1; sc.Scan(); n++ {
		l := strings.TrimSuffix(sc.Text(), "\r")
		switch {
		case oldLeft > 0 || newLeft > 0:
			switch {
			case strings.HasPrefix(l, "+"):
				out.add(file, line)
				line, newLeft, gap = line+1, newLeft-1, false
			case strings.HasPrefix(l, "-"):
				oldLeft--
				gap = true
			case strings.HasPrefix(l, " ") || l == "":
				flush()
				line, oldLeft, newLeft = line+1, oldLeft-1, newLeft-1
			case !strings.HasPrefix(l, "\\"):
				return nil, fmt.Errorf("line %d of the diff: a line of a hunk starts with +, - or a space", n)
			}
		case strings.HasPrefix(l, "+++ "):
			flush()
			file, _, _ = strings.Cut(strings.TrimPrefix(l, "+++ "), "\t")
			if name, err := strconv.Unquote(file); err == nil { // so git writes names that are not ASCII
				file = name
			}
			for _, p := range []string{"a/", "b/", "w/", "i/"} {
				if strings.HasPrefix(file, p) {
					file = file[len(p):]
					break
				}
			}
		case strings.HasPrefix(l, "@@ "):
			flush()
			var err error
			if line, oldLeft, newLeft, err = hunk(l); err != nil || file == "" {
				return nil, fmt.Errorf("line %d of the diff: %q is not the start of a hunk", n, l)
			}
			if newLeft == 0 { // git names the line before the gap
				line++
			}
			hunks++
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("the diff cannot be read: %w", err)
	}
	flush()
	if hunks == 0 && len(bytes.TrimSpace(text)) > 0 {
		return nil, fault.WithHint(fault.Usagef("the patch is not a unified diff"), "diff -u or git diff")
	}
	delete(out, "/dev/null")
	for f := range out {
		sort.Ints(out[f])
	}
	return out, nil
}

func (c changes) add(file string, line int) {
	if line > 0 {
		c[file] = append(c[file], line)
	}
}

// hunk reads `@@ -a,b +c,d @@`.
func hunk(l string) (line, oldLen, newLen int, err error) {
	f := strings.Fields(l)
	if len(f) < 4 || f[1][0] != '-' || f[2][0] != '+' {
		return 0, 0, 0, strconv.ErrSyntax
	}
	read := func(s string) (start, n int, err error) {
		a, b, comma := strings.Cut(s[1:], ",")
		if start, err = strconv.Atoi(a); err != nil {
			return
		}
		n = 1
		if comma {
			n, err = strconv.Atoi(b)
		}
		return
	}
	if _, oldLen, err = read(f[1]); err != nil {
		return
	}
	line, newLen, err = read(f[2])
	return
}

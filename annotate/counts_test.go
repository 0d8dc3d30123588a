package annotate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/annotate/ctree"
	"klabel/csource"
	"klabel/label"
)

// TestCountsAreClangs runs programs with counting DC and CC labels and with
// clang's branch coverage, and compares the counts of every condition and every
// case that both know.
func TestCountsAreClangs(t *testing.T) {
	cov := newCoverage(t)
	t.Run("own", func(t *testing.T) {
		cov.compare(t, "testdata/counts/loops.c", nil, nil, 60)
	})
	t.Run("csmith", func(t *testing.T) {
		include := csmithHeader(t)
		n := 12
		if testing.Short() {
			n = 3
		}
		dir := t.TempDir()
		done := 0
		for seed := 1000; done < n && seed < 1000+4*n; seed++ {
			p := csmithProgram(t, dir, seed)
			exe := build(t, dir, "plain", map[string][]string{p: {"-I" + include, "-O0"}})
			if _, ok := quick(exe, time.Second); !ok {
				continue
			}
			cov.compare(t, p, []string{"-I" + include}, nil, 0)
			done++
		}
		if done == 0 {
			t.Error("no random program ended in time")
		}
	})
	t.Run("bzip2", func(t *testing.T) {
		if testing.Short() {
			t.Skip("skipped: real programs are fetched in the long run only")
		}
		root := debianSources(t)(t, "bzip2")
		// One unit of the library, so that one program is counted at a time.
		var one strings.Builder
		for _, f := range []string{"blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c",
			"decompress.c", "bzlib.c"} {
			fmt.Fprintf(&one, "#include %q\n", filepath.Join(root, f))
		}
		one.WriteString(`#include <string.h>
int main(void) { static char in[60000], out[70000], back[60000]; unsigned n = sizeof out, m = sizeof back;
for (unsigned i = 0; i < sizeof in; i++) in[i] = (i * i >> 7) % 11 + (i % 97 == 0) * 30;
if (BZ2_bzBuffToBuffCompress(out, &n, in, sizeof in, 1, 0, 30)) return 1;
if (BZ2_bzBuffToBuffDecompress(back, &m, out, n, 0, 0)) return 2;
return m != sizeof in || memcmp(in, back, m); }
`)
		cov.compare(t, write(t, filepath.Join(root, "one.c"), one.String()), []string{"-I" + root}, nil, 400)
	})
}

type coverage struct{ profdata, cov string }

func newCoverage(t *testing.T) coverage {
	c := clang(t)
	home, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) string { // another release's does not read what this one writes
		for _, n := range []string{fmt.Sprintf("%s-%d", name, c.Major), filepath.Join(filepath.Dir(home), name)} {
			if p, err := exec.LookPath(n); err == nil {
				return p
			}
		}
		t.Skipf("skipped: %s of clang %d is not installed", name, c.Major)
		return ""
	}
	return coverage{find("llvm-profdata"), find("llvm-cov")}
}

// branch is what clang counted for a condition or a case.
type branch struct{ yes, no uint64 }

// compare labels one file, runs it both ways and compares. Least is how many
// counts must have been compared at least.
func (c coverage) compare(t *testing.T, path string, flags, args []string, least int) {
	t.Helper()
	ctx := context.Background()
	o := Options{Criteria: []string{"DC,CC"}, Clang: clang(t), Flags: flags}
	u, err := csource.Load(ctx, path, csource.Options{Clang: o.Clang, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	o.setDefaults()
	p, err := collect(ctx, u, &o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.finish(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	branches := c.branches(t, dir, u.Text, flags)
	hits := countHits(t, dir, l)
	compared, wrong := 0, 0
	check := func(off int, what string, got, want uint64) {
		if compared++; got != want {
			if wrong++; wrong <= 10 {
				t.Errorf("%s: %s: the label counts %d, clang %d", u.Origin(off).Position(), what, got, want)
			}
		}
	}
	for _, s := range p.sites {
		e := s.expr
		if e == nil || len(s.labels) < 2 {
			continue
		}
		if st := e.Stmt; s.kind == value && st != nil && st.Kind == ctree.Switch && st.Cond == e {
			i := 0
			for _, k := range st.Cases {
				if k.IsDefault {
					continue
				}
				if b, ok := branches[k.Span.Start]; ok && b.yes+b.no > 0 {
					check(k.Span.Start, "case", hits[s.labels[i].id], b.yes)
				}
				i++
			}
			continue
		}
		b, ok := branches[e.Span.Start|e.Span.End<<32]
		if !ok || b.yes+b.no == 0 { // clang folds constants and counts nothing
			continue
		}
		check(e.Span.Start, p.src(e), hits[s.labels[0].id], b.yes)
		check(e.Span.Start, "!"+p.src(e), hits[s.labels[1].id], b.no)
	}
	if compared < least {
		t.Errorf("only %d counts could be compared", compared)
	}
	t.Logf("%s: %d labels, %d counts compared", filepath.Base(path), len(l.Labels), compared)
}

// countHits runs the labelled program and returns how often each predicate
// was true.
func countHits(t *testing.T, dir string, l *Labelled) map[label.ID]uint64 {
	t.Helper()
	labelled := write(t, filepath.Join(dir, "labelled.c"), string(l.Text))
	head := write(t, filepath.Join(dir, "count.h"), "extern unsigned long klabel_hits[];\n"+
		"#define cov_label(p, id, ...) do { if (p) klabel_hits[id]++; } while (0)\n")
	n := int(l.Next) + 1
	tail := write(t, filepath.Join(dir, "count.c"), fmt.Sprintf(`#include <stdio.h>
unsigned long klabel_hits[%d];
__attribute__((destructor)) static void show(void) { FILE *f = fopen("hits.txt", "w"); for (int i = 0; i < %d; i++) fprintf(f, "%%lu\n", klabel_hits[i]); fclose(f); }
`, n, n))
	run(t, dir, build(t, dir, "labelled", map[string][]string{labelled: {"-O0", "-include", head}, tail: {}}))
	text, err := os.ReadFile(filepath.Join(dir, "hits.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[label.ID]uint64{}
	for i, line := range strings.Fields(string(text)) {
		var v uint64
		fmt.Sscan(line, &v)
		out[label.ID(i)] = v
	}
	return out
}

// branches runs the text with clang's own coverage. Conditions are found under
// start | end<<32 of the expression without parentheses and !, cases under the
// offset of the word case.
func (c coverage) branches(t *testing.T, dir string, text []byte, flags []string) map[int]branch {
	t.Helper()
	// Positions must be those of the text itself: no line markers.
	plain := bytes.Split(bytes.Clone(text), []byte("\n"))
	starts := make([]int, len(plain))
	off := 0
	for i, l := range plain {
		starts[i] = off
		off += len(l) + 1
		if len(l) > 0 && l[0] == '#' {
			plain[i] = bytes.Repeat([]byte(" "), len(l))
		}
	}
	src := write(t, filepath.Join(dir, "plain.c"), string(bytes.Join(plain, []byte("\n"))))
	exe := filepath.Join(dir, "plain")
	run(t, dir, clang(t).Path, "-w", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", src, "-o", exe, "-lm")
	raw := filepath.Join(dir, "plain.profraw")
	run(t, dir, "env", "LLVM_PROFILE_FILE="+raw, exe)
	run(t, dir, c.profdata, "merge", raw, "-o", raw+".data")
	var export struct {
		Data []struct {
			Files []struct{ Branches [][]uint64 }
		}
	}
	cmd := exec.Command(c.cov, "export", "-format=text", exe, "-instr-profile="+raw+".data")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &export); err != nil {
		t.Fatal(err)
	}
	found := map[int]branch{}
	for _, f := range export.Data[0].Files {
		for _, b := range f.Branches {
			start, end := starts[b[0]-1]+int(b[1])-1, starts[b[2]-1]+int(b[3])-1
			x := branch{b[4], b[5]}
			if bytes.HasPrefix(text[start:], []byte("case")) || bytes.HasPrefix(text[start:], []byte("default")) {
				found[start] = x
				continue
			}
			for start < end {
				switch ch := text[start]; {
				case ch == '!' && text[start+1] != '=':
					start, x = start+1, branch{x.no, x.yes}
					continue
				case ch == '(' && closing(text, start) == end-1:
					start, end = start+1, end-1
					continue
				case ch == ' ' || ch == '\n':
					start++
					continue
				case text[end-1] == ' ' || text[end-1] == '\n':
					end--
					continue
				}
				break
			}
			found[start|end<<32] = x
		}
	}
	return found
}

// closing is the offset of the parenthesis that closes the one at off.
func closing(text []byte, off int) int {
	depth := 0
	for i := off; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			q := text[i]
			for i++; i < len(text) && text[i] != q; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

package annotate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

// everything is all criteria at once (PATCH needs a diff).
const everything = "FC,STMT,BBC,DC,CC,DCC,MCC,2-CC,GACC,GICC,IC,UTPC,LIMIT-1,WM,IDP,IOB,CB,FCC,CALL," +
	"ADC,AUC,DUC,ELO,SLO,LOOP,RTE,FAIL,custom"

// evaluate makes labels evaluate their predicates, and nothing else.
const evaluate = "static volatile unsigned klabel_sink;\n#define cov_label(p, id, ...) do { if (p) klabel_sink = " +
	"(id); } while (0)\n"

// program is a real program with tests of its own.
type program struct {
	pkg   string   // Debian source package
	files []string // patterns: what is labelled
	flags []string
	// files that its configure script would make
	write map[string]string
	tests func(t *testing.T, dir string, objs []string, flags []string) string // output of its tests
}

var programs = []program{
	{pkg: "zlib", files: []string{"*.c"}, flags: []string{"-DZ_HAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"}, tests: zlibTests},
	{pkg: "bzip2", files: []string{"blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c", "decompress.c", "bzlib.c", "bzip2.c"},
		flags: []string{"-D_FILE_OFFSET_BITS=64"}, tests: bzip2Tests},
	{pkg: "jansson", files: []string{"src/*.c"}, flags: []string{"-Isrc", "-Iandroid", "-DHAVE_CONFIG_H"}, tests: janssonTests,
		write: map[string]string{"android/jansson_private_config.h": "#define INITIAL_HASHTABLE_ORDER 3\n" +
			defines("HAVE_STDINT_H", "HAVE_UNISTD_H", "HAVE_SYS_TYPES_H",
				"HAVE_SYS_TIME_H", "HAVE_GETTIMEOFDAY", "HAVE_FCNTL_H", "HAVE_OPEN", "HAVE_CLOSE", "HAVE_READ",
				"HAVE_STRTOLL", "HAVE_LOCALE_H", "HAVE_SETLOCALE", "HAVE_LOCALECONV")}},
}

func defines(names ...string) string {
	return "#define " + strings.Join(names, " 1\n#define ") + " 1\n"
}

func zlibTests(t *testing.T, dir string, objs, flags []string) string {
	var out strings.Builder
	for _, p := range []string{"example", "minigzip"} {
		link(t, dir, p, append([]string{"-I.", "test/" + p + ".c"}, objs...), flags)
	}
	out.WriteString(run(t, dir, "./example", "foo.gz"))
	for _, level := range []string{"-1", "-6", "-9", "-h", "-r"} {
		out.WriteString(run(t, dir, "sh", "-c", "cat contrib/README* deflate.h FAQ ChangeLog | ./minigzip "+level+
			" > x.gz && ./minigzip -d < x.gz | cksum && cksum < x.gz"))
	}
	return out.String()
}

func bzip2Tests(t *testing.T, dir string, objs, flags []string) string {
	link(t, dir, "bzip2", objs, flags)
	return run(t, dir, "sh", "-ec", `for i in 1 2 3; do
  s=; test $i = 3 && s=-s
  ./bzip2 -$i < sample$i.ref > s$i.rb2; cmp sample$i.bz2 s$i.rb2
  ./bzip2 -d $s < sample$i.bz2 > s$i.tst; cmp sample$i.ref s$i.tst
  ./bzip2 -tvv sample$i.bz2 2>&1
done
head -c 200 sample1.bz2 > cut.bz2; ./bzip2 -tv cut.bz2 2>&1 || echo refused; ./bzip2 --help 2>&1 | head -3; echo done`)
}

func janssonTests(t *testing.T, dir string, objs, flags []string) string {
	tests, _ := filepath.Glob(filepath.Join(dir, "test/suites/api/test_*.c"))
	if len(tests) < 10 {
		t.Fatalf("only %d tests in jansson", len(tests))
	}
	var out strings.Builder
	for _, x := range tests {
		name := strings.TrimSuffix(filepath.Base(x), ".c")
		if name == "test_cpp" {
			continue
		}
		link(t, dir, name, append([]string{x}, objs...), flags)
		fmt.Fprintf(&out, "%s: %s\n", name, run(t, dir, "./"+name))
	}
	link(t, dir, "json_process", append([]string{"test/bin/json_process.c"}, objs...), flags)
	inputs, _ := filepath.Glob(filepath.Join(dir, "test/suites/*/*/input"))
	for _, in := range inputs {
		text := run(t, dir, "sh", "-c", "JSON_SORT_KEYS=1 ./json_process --env < "+in+" 2>&1; echo $?")
		fmt.Fprintf(&out, "%s: %s\n", strings.TrimPrefix(in, dir), text)
	}
	return out.String()
}

func link(t *testing.T, dir, name string, ins, flags []string) {
	t.Helper()
	run(t, dir, append(append([]string{clang(t).Path, "-w", "-O0", "-o", name}, append(flags, ins...)...), "-lm")...)
}

// TestRealProgramsBehaveTheSame labels real programs with all criteria at once
// and runs the tests that they bring: the first one, and with KLABEL_PROGRAMS every one.
func TestRealProgramsBehaveTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: real programs are fetched and compiled in the long run only")
	}
	fetch := debianSources(t)
	some := programs
	if os.Getenv("KLABEL_PROGRAMS") == "" {
		some = some[:1]
	}
	for _, p := range some {
		t.Run(p.pkg, func(t *testing.T) {
			root := fetch(t, p.pkg)
			for name, text := range p.write {
				write(t, filepath.Join(root, name), text)
			}
			plain, labelled := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "labelled")
			run(t, root, "cp", "-r", root, plain)
			var files []string
			for _, pat := range p.files {
				m, _ := filepath.Glob(filepath.Join(root, pat))
				files = append(files, m...)
			}
			flags := absolutePaths(p.flags, root)
			res, err := Run(context.Background(), Job{Options: Options{Criteria: []string{everything}, Clang: clang(t),
				Flags: flags}, Files: files, Copy: labelled, Root: root})
			if err != nil {
				t.Fatal(err)
			}
			lines := 0
			for _, f := range files {
				text, _ := os.ReadFile(f)
				lines += bytes.Count(text, []byte("\n"))
			}
			head := write(t, filepath.Join(t.TempDir(), "evaluate.h"), evaluate)
			want := p.tests(t, plain, objects(t, root, plain, files, p.flags), p.flags)
			start := time.Now()
			got := p.tests(t, labelled, objects(t, root, labelled, files, []string{"-include", head}), p.flags)
			if got = strings.ReplaceAll(got, labelled, plain); got != want {
				t.Errorf("the labelled program's tests print something else\n%s", firstDifference(got, want))
			}
			t.Logf("%d lines, %d labels, tests identical (%d bytes of output), %.1f s with labels", lines,
				len(res.Labels), len(want), time.Since(start).Seconds())
		})
	}
}

func absolutePaths(flags []string, dir string) []string {
	var out []string
	for _, f := range flags {
		if strings.HasPrefix(f, "-I") {
			f = "-I" + filepath.Join(dir, f[2:])
		}
		out = append(out, f)
	}
	return out
}

// objects compiles the files where they stand in a copy of the project, two at
// a time.
func objects(t *testing.T, root, dir string, files, flags []string) []string {
	t.Helper()
	var objs []string
	errs := make(chan error, len(files))
	slots := make(chan struct{}, 2)
	for _, f := range files {
		rel, _ := filepath.Rel(root, f)
		obj := strings.TrimSuffix(rel, ".c") + ".klabel.o"
		objs = append(objs, obj)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			cmd := exec.Command(clang(t).Path, append([]string{"-w", "-O0", "-c", rel, "-o", obj}, flags...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%s: %v\n%.2000s", rel, err, out)
			}
			errs <- err
		}()
	}
	for range files {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	return objs
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			w := "(nothing)"
			if i < len(b) {
				w = b[i]
			}
			return fmt.Sprintf("line %d\ngot  %s\nwant %s", i+1, a[i], w)
		}
	}
	return "something is missing at the end"
}

// debianSources returns a function that fetches and unpacks the source of a
// package, or skips the test with the reason. Source packages are enabled in a
// temporary folder only.
func debianSources(t *testing.T) func(*testing.T, string) string {
	for _, tool := range []string{"apt-get", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: real programs come from Debian source packages, and there is no %s", tool)
		}
	}
	dir := t.TempDir()
	for _, d := range []string{"lists/partial", "cache/archives/partial", "parts", "src"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	modern, _ := filepath.Glob("/etc/apt/sources.list.d/*.sources")
	classic, _ := filepath.Glob("/etc/apt/sources.list.d/*.list")
	types := regexp.MustCompile(`(?m)^Types:.*$`)
	for _, f := range append(modern, append(classic, "/etc/apt/sources.list")...) {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		out := types.ReplaceAllString(string(text), "Types: deb-src")
		if !strings.HasSuffix(f, ".sources") {
			out = regexp.MustCompile(`(?m)^deb\s`).ReplaceAllString(out, "deb-src ")
		}
		n++
		write(t, filepath.Join(dir, "parts", filepath.Base(f)), out)
	}
	if n == 0 {
		t.Skip("skipped: no Debian package sources are configured")
	}
	apt := func(args ...string) error {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "apt-get", append(
			[]string{"-qq", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", "Dir::Etc::sourceparts=" + dir + "/parts",
				"-o", "Dir::State::lists=" + dir + "/lists", "-o", "Dir::Cache=" + dir + "/cache", "-o",
				"APT::Sandbox::User=root"}, args...)...)
		cmd.Dir = filepath.Join(dir, "src")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %.300s", err, out)
		}
		return nil
	}
	updated := apt("update")
	return func(t *testing.T, pkg string) string {
		t.Helper()
		if err := apt("source", "--download-only", pkg); err != nil {
			t.Skipf("skipped: the source of %s is not reachable: %v (update: %v)", pkg, err, updated)
		}
		orig, _ := filepath.Glob(filepath.Join(dir, "src", pkg+"_*.orig.tar.*"))
		sort.Strings(orig)
		if len(orig) == 0 {
			t.Skipf("skipped: %s has no .orig.tar", pkg)
		}
		to := filepath.Join(dir, "x", pkg)
		if err := os.MkdirAll(to, 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, to, "tar", "-xf", orig[0], "--strip-components=1")
		return to
	}
}

// TestCsmithProgramsBehaveTheSame labels random programs and compares their
// checksums.
func TestCsmithProgramsBehaveTheSame(t *testing.T) {
	include := csmithHeader(t)
	n := 8
	if many, err := strconv.Atoi(os.Getenv("KLABEL_CSMITH")); err == nil {
		n = many
	} else if testing.Short() {
		n = 4
	}
	dir := t.TempDir()
	head := write(t, filepath.Join(dir, "evaluate.h"), evaluate)
	labels, done := 0, 0
	for seed := 1; done < n; seed++ {
		if seed > 4*n {
			t.Fatalf("only %d of %d random programs end in time", done, seed)
		}
		p := csmithProgram(t, dir, seed)
		flags := []string{"-I" + include}
		exe := build(t, dir, "plain", map[string][]string{p: append(flags, "-O0")})
		want, ok := quick(exe, 2*time.Second)
		if !ok {
			continue
		}
		// Conversions of floats make some of the programs undefined: there is
		// nothing to compare then.
		exe = build(t, dir, "defined", map[string][]string{p: append(flags, "-O1", "-fsanitize=undefined",
			"-fno-sanitize-recover=all")}, "-fsanitize=undefined")
		if again, ok := quick(exe, 10*time.Second); !ok || again != want {
			continue
		}
		// What labelFile checks beside is checked on some of them only.
		label := labelFile
		if done%20 != 0 {
			label = justLabel
		}
		l := label(t, p, Options{Criteria: []string{everything}, Flags: flags, FileGlobs: []string{"random.c"}})
		labelled := write(t, filepath.Join(dir, "labelled.c"), string(l.Text))
		exe = build(t, dir, "labelled", map[string][]string{labelled: {"-O0", "-include", head}})
		if got, ok := quick(exe, time.Minute); !ok || got != want {
			t.Fatalf("seed %d: the labelled program prints %q, the original %q", seed, got, want)
		}
		labels += len(l.Labels)
		done++
	}
	t.Logf("%d programs, %d labels: same checksums", done, labels)
}

func csmithHeader(t *testing.T) string {
	if _, err := exec.LookPath("csmith"); err != nil {
		t.Skip("skipped: csmith is not installed (Debian: csmith, libcsmith-dev)")
	}
	for _, d := range []string{"/usr/include/csmith", "/usr/local/include/csmith", "/usr/include/csmith-2.3.0",
		"/usr/local/include"} {
		if _, err := os.Stat(filepath.Join(d, "csmith.h")); err == nil {
			return d
		}
	}
	t.Skip("skipped: csmith.h is not installed (Debian: libcsmith-dev)")
	return ""
}

// csmithProgram writes a small random program that changes with the seed.
func csmithProgram(t *testing.T, dir string, seed int) string {
	out := run(t, dir, "csmith", "--seed", fmt.Sprint(seed), "--max-funcs", "3", "--max-block-depth", "3",
		"--max-block-size", "3", "--max-expr-complexity", "5",
		"--bitfields", "--packed-struct", "--float")
	return write(t, filepath.Join(dir, "random.c"), out)
}

// quick runs a program that should end soon.
func quick(exe string, limit time.Duration) (string, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	out, err := exec.CommandContext(ctx, exe).CombinedOutput()
	return string(out), err == nil
}

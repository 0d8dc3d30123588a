package prune

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"klabel/csource"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// compileFlags take from clang what it may assume and a replay does not check.
var compileFlags = []string{"-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-builtin", "-ffp-contract=off",
	"-fno-stack-protector", "-w", "-Drestrict=", "-D__restrict=", "-D__restrict__=", "-Wno-everything"}

// languageFlags are those of the user's flags that matter once a text is
// preprocessed: the standard, the target, the dialect.
func languageFlags(flags []string) (out []string) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case f == "-target" || f == "-Xclang":
			if i++; i < len(flags) {
				out = append(out, f, flags[i])
			}
		case hasPrefix(f, "-std"), hasPrefix(f, "--target"), hasPrefix(f, "-m"), hasPrefix(f, "-f") && !hasPrefix(f, "-fsanitize") && !hasPrefix(f, "-fprofile"):
			out = append(out, f)
		}
	}
	return out
}

// dialect returns a flag that changes what types look like, as only clang is
// told; "" if there is none.
func dialect(flags []string) string {
	for _, f := range languageFlags(flags) {
		if f != "-m64" && !hasPrefix(f, "-std") && (hasPrefix(f, "-m") || hasPrefix(f, "--target") || f == "-target" || f == "-Xclang" ||
			hasPrefix(f, "-funsigned-") || hasPrefix(f, "-fshort-") || hasPrefix(f, "-fpack-") || hasPrefix(f, "-fms-") || hasPrefix(f, "-ffast-math")) {
			return f
		}
	}
	return ""
}

// compiler proves what clang's optimiser can: each label becomes a branch to a
// call of its own, and a call that the optimiser removes is one that no run
// makes. Three things are asked in one compilation: is the label infeasible, is
// it true whenever it is reached (step 2), and, in another one, does it imply a
// label of its group (step 3).
func (j *job) compiler(ctx context.Context) error {
	var failed error
	for i, u := range j.p.units {
		if err := j.compileUnit(ctx, i, u); err != nil {
			failed = err
		}
	}
	return failed
}

func (j *job) compileUnit(ctx context.Context, i int, u *csource.Unit) error {
	start := time.Now()
	var mine []*lab
	for _, l := range j.p.labs {
		if l.unit == u {
			mine = append(mine, l)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	name := fmt.Sprintf("compiler%d", i)
	left, cached, err := j.probe(ctx, name, u, func(l *lab) string {
		return fmt.Sprintf("if (%s) klabel_probe_n%d(); else klabel_probe_p%d();", l.Predicate, l.ID, l.ID)
	}, func(b *strings.Builder) {
		for _, l := range mine {
			fmt.Fprintf(b, "void klabel_probe_n%d(void); void klabel_probe_p%d(void); ", l.ID, l.ID)
		}
	})
	if err != nil {
		return err
	}
	secs := time.Since(start).Seconds()
	proved := 0
	for _, l := range mine {
		n, p := fmt.Sprintf("n%d", l.ID), fmt.Sprintf("p%d", l.ID)
		switch {
		case !left[n] && j.open(l.ID):
			proved++
			why := "the optimiser reduces the predicate to false wherever it is reached"
			if !left[p] {
				why = "the optimiser finds no way to the label's place"
			}
			j.found(Finding{ID: l.ID, Status: label.Infeasible, Method: Compiler, Step: 1, Text: why, Seconds: secs / float64(len(mine)), Cached: cached})
		case left[n] && !left[p]:
			j.alwaysTrue(l.ID, Compiler)
		}
	}
	return nil
}

// probe compiles a unit with each label replaced, and returns the names of the
// probes that are left in the optimised program.
func (j *job) probe(ctx context.Context, name string, u *csource.Unit, instead func(*lab) string, declare func(*strings.Builder)) (left map[string]bool, cached bool, err error) {
	text := j.p.text(u, instead, nil)
	var head strings.Builder
	head.WriteString("void klabel_stop(void) __attribute__((noreturn)); ")
	declare(&head)
	head.WriteString("\n")
	return j.compileText(ctx, name, head.String()+string(text))
}

func (j *job) compileText(ctx context.Context, name, text string) (left map[string]bool, cached bool, err error) {
	key := j.key("compiler", fmt.Sprint(j.Clang.Major, j.Open, j.Flags), text)
	var names []string
	if j.cached(key, &names) {
		return set(names), true, nil
	}
	model, err := runtime_c.FS.ReadFile("prune/compiler.c")
	if err != nil {
		return nil, false, err
	}
	c, ll, safe, opt := j.file(name+".c"), j.file(name+".ll"), j.file(name+".safe.ll"), j.file(name+".opt.ll")
	flags := append(languageFlags(j.Flags), compileFlags...)
	unopt := append(append([]string{}, flags...), "-O0", "-Xclang", "-disable-O0-optnone")
	err = j.emit(ctx, c, text+"\n"+string(model), ll, unopt)
	if err != nil && ctx.Err() == nil {
		// The program's own declarations of KLEE's functions may differ: without
		// the model they are calls of unknown code.
		err = j.emit(ctx, c, text, ll, unopt)
	}
	if err != nil {
		return nil, false, err
	}
	b, err := os.ReadFile(ll)
	if err != nil {
		return nil, false, err
	}
	ir, err := irText(string(b), j.Clang.Major, !j.Open && len(j.p.units) == 1 && j.p.hasMain)
	if err != nil {
		return nil, false, err
	}
	if err := os.WriteFile(safe, []byte(ir), 0o666); err != nil {
		return nil, false, err
	}
	if err := j.clang(ctx, "-O2", "-fno-builtin", "-w", "-S", "-emit-llvm", "-x", "ir", safe, "-o", opt); err != nil {
		return nil, false, err
	}
	if b, err = os.ReadFile(opt); err != nil {
		return nil, false, err
	}
	left = map[string]bool{}
	for _, m := range reProbe.FindAllSubmatch(b, -1) {
		left[string(m[1])] = true
	}
	j.keep(key, sortedKeys(left))
	return left, false, nil
}

func (j *job) emit(ctx context.Context, c, text, ll string, flags []string) error {
	if err := os.WriteFile(c, []byte(text), 0o666); err != nil {
		return err
	}
	return j.clang(ctx, append(append([]string{}, flags...), "-S", "-emit-llvm", c, "-o", ll)...)
}

func (j *job) clang(ctx context.Context, args ...string) error {
	_, err := toolchain.Run(ctx, toolchain.Command{Argv: append([]string{j.Clang.Path}, args...), Timeout: j.Budget})
	return err
}

var reProbe = regexp.MustCompile(`(?m)^[^d;].*@klabel_probe_(\w+)\(`)

func set(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

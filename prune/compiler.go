package prune

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/csource"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// compileFlags take from clang what it may assume and a replay does not check.
var compileFlags = []string{"-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-builtin",
	"-ffp-contract=off",
	"-fno-fast-math", "-fno-stack-protector", "-w", "-Drestrict=", "-D__restrict=", "-D__restrict__=",
	"-Wno-everything"}

// dialect returns an option of a unit that changes what types and operations
// are, as only clang is told; "" if there is none.
func (j *job) dialect() string {
	for _, u := range j.Units {
		if f := u.Flags.Dialect(); f != "" {
			return f
		}
	}
	return ""
}

// unusual is dialect for the engine, which reads of clang's output what i386 is.
func (j *job) unusual() string {
	for _, u := range j.Units {
		f := u.Flags.Dialect()
		if u.Target.Narrow() && u.Target.Runs() {
			f = u.Flags.Meaning()
		}
		if f != "" {
			return f
		}
	}
	return ""
}

// narrow returns the option that makes a unit one of 32 bits, "" if there is none:
// the declarations that are written into LLVM's text are for 64.
func (j *job) narrow() string {
	for _, u := range j.Units {
		if u.Target.Narrow() {
			return u.Flags.Dialect()
		}
	}
	return ""
}

// compiler proves what clang's optimiser can: labels become probes, and one that
// the optimiser removes is one that no run meets (probes.go, trees.go). Two things are asked
// in one compilation: is the label infeasible, is it true whenever it is reached
// (step 2); and, in another one, does it imply a label of its group (step 3).
func (j *job) compiler(ctx context.Context) error {
	mine := make([][]*labelSite, len(j.p.units))
	for i, u := range j.p.units {
		for _, l := range j.p.labels {
			if l.unit == u {
				mine[i] = append(mine[i], l)
			}
		}
	}
	var failed error
	for _, form := range forms { // each of all units: what finds most comes first
		failed = cmp.Or(j.eachUnit(func(i int, u *csource.Unit) error {
			if len(mine[i]) == 0 || form.inlining && (j.Quick || !alwaysInlines(u)) {
				return nil
			}
			name := fmt.Sprintf("%s%d", form.name, i)
			if err := j.compileForm(ctx, name, u, form.inlining, form.ask(u, mine[i])); err != nil {
				mine[i] = nil
				return err
			}
			mine[i] = slices.DeleteFunc(mine[i], func(l *labelSite) bool {
				return !j.open(l.ID) || j.isAlwaysTrue(l.ID)
			})
			return nil
		}), failed)
	}
	return failed
}

// eachUnit works on all units, Options.Workers at a time. Small ones come first: a large one
// may take all the time there is.
func (j *job) eachUnit(work func(i int, u *csource.Unit) error) error {
	order := make([]int, len(j.p.units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(j.p.units[a].Text) - len(j.p.units[b].Text) })
	var g errgroup.Group
	g.SetLimit(j.Workers)
	for _, i := range order {
		g.Go(func() error { return work(i, j.p.units[i]) })
	}
	return g.Wait()
}

func (j *job) compileForm(ctx context.Context, name string, u *csource.Unit, inlining bool, asked []question) error {
	start := time.Now()
	code, labels := map[*labelSite]string{}, 0
	for _, q := range asked {
		code[q.labels[0]] = q.code
		labels += len(q.labels)
	}
	left, cached, err := j.probe(ctx, name, u, inlining, func(l *labelSite) string { return code[l] },
		func(b *strings.Builder) {
			for _, q := range asked {
				for _, probe := range sortedKeys(q.leaves) {
					declareProbe(b, probe)
				}
			}
		})
	if err != nil {
		return err
	}
	secs := time.Since(start).Seconds() / float64(max(labels, 1))
	for _, q := range asked {
		for i, l := range q.labels {
			yes, no := q.answer(i, left)
			switch {
			case !yes && j.open(l.ID) && j.compiled(l, left):
				why := "the optimiser reduces the predicate to false wherever it is reached"
				if !no {
					why = "the optimiser finds no way to the label's place"
				}
				j.found(Finding{ID: l.ID, Status: label.Infeasible, Method: Compiler, Step: 1, Text: why,
					Seconds: secs, Cached: cached})
			case yes && !no:
				j.alwaysTrue(l.ID, Compiler)
			}
		}
	}
	return nil
}

// compiled reports whether clang wrote code for a label's function at all. Of
// an inline function it may leave that to another file, where its labels are
// reached; a static one that it leaves out is called by nobody.
func (j *job) compiled(l *labelSite, left map[string]bool) bool {
	switch {
	case l.fn == nil:
		return false
	case left[definedPrefix+l.fn.Name]:
		return true
	}
	return !j.Open && l.fn.Def.Declarator.IsStatic() && l.fn.namesake == nil && !l.fn.twice
}

// definedPrefix marks in the answers of the optimiser the functions that clang
// wrote code for.
const definedPrefix = "function "

// canaries are probes whose condition some input makes true, one where a text
// begins and one where it ends. A compilation in whose output one of them is
// missing has lost more than what no run reaches: it proves nothing.
var canaries = [2]string{"canary1", "canary2"}

func canary(i int) string {
	return fmt.Sprintf("void klabel_probe_%s(void); int klabel_%s(int x, int y) { if (x > y) klabel_probe_%s(); "+
		"return x; }", canaries[i], canaries[i], canaries[i])
}

// alwaysInline are the words for it.
var alwaysInline = []string{"always_inline", "__always_inline__"}

// alwaysInlines reports whether functions of a unit are to stand wherever they are called.
func alwaysInlines(u *csource.Unit) bool { return len(u.Identifiers(alwaysInline...)) > 0 }

// probe compiles a unit with each label replaced, and returns the names of the
// probes that are left in the optimised program, and what it defines. inlining is whether functions stand wherever
// they are called where the source wants that, and not where the optimiser does: a program may get ten times as long.
func (j *job) probe(ctx context.Context, name string, u *csource.Unit, inlining bool, instead func(*labelSite) string,
	declare func(*strings.Builder)) (left map[string]bool, cached bool, err error) {
	text := j.p.text(u, instead, nil)
	var head strings.Builder
	head.WriteString("void klabel_stop(void) __attribute__((noreturn)); " + canary(0) + " ")
	declare(&head)
	head.WriteString("\n")
	tail := "\n"
	if j.Open {
		tail += j.p.exported(u)
	}
	flags := u.Flags.Language()
	if !inlining {
		flags = slices.Clip(flags)
		for _, word := range alwaysInline {
			flags = append(flags, "-D"+word+"=unused")
		}
	}
	return j.compileText(ctx, name, head.String()+string(text)+tail, flags, j.p.behaved(u))
}

// exported is a table of all functions of a unit, so that clang writes code for
// those, too, that nobody in it calls.
func (p *program) exported(u *csource.Unit) string {
	var b strings.Builder
	b.WriteString("const void *const klabel_exported[] = { ")
	for _, f := range p.order {
		if f.unit == u {
			fmt.Fprintf(&b, "(const void *)%s, ", f.Name)
		}
	}
	b.WriteString("0 };\n")
	return b.String()
}

func (j *job) compileText(ctx context.Context, name, text string, flags toolchain.Flags, notNull bool) (
	left map[string]bool, cached bool, err error) {
	key := j.key("compiler", fmt.Sprint(j.Clang.Major, j.Open, notNull, flags), text)
	var names []string
	if j.cached(key, &names) {
		if left = set(names); whole(left) {
			return left, true, nil
		}
	}
	model, err := runtime_c.FS.ReadFile("prune/compiler.c")
	if err != nil {
		return nil, false, err
	}
	c, ll, safe, opt := j.file(name+".c"), j.file(name+".ll"), j.file(name+".safe.ll"), j.file(name+".opt.ll")
	again := j.file(name + ".again.ll")
	unopt := append(append(flags, compileFlags...), "-O0", "-Xclang", "-disable-O0-optnone")
	end := "\n" + canary(1) + "\n"
	err = j.emit(ctx, c, text+"\n"+string(model)+end, ll, unopt)
	if err != nil && ctx.Err() == nil {
		// The program's own declarations of KLEE's functions may differ: without
		// the model they are calls of unknown code.
		err = j.emit(ctx, c, text+end, ll, unopt)
	}
	if err != nil {
		return nil, false, err
	}
	b, err := os.ReadFile(ll)
	if err != nil {
		return nil, false, err
	}
	ir, err := irText(string(b), j.reach(), irOptions{major: j.Clang.Major, notNull: notNull,
		defined: func(name string) bool { return j.p.funcs[name] != nil }})
	if err != nil {
		return nil, false, err
	}
	left = map[string]bool{}
	for _, l := range strings.Split(string(b), "\n") {
		if m := reDefine.FindStringSubmatch(l); m != nil {
			left[definedPrefix+m[2]] = true
		}
	}
	if err := os.WriteFile(safe, []byte(ir), 0o666); err != nil {
		return nil, false, err
	}
	for _, step := range [][2]string{{safe, opt}, {opt, again}} { // what comes last in the first finds more in another
		if err := j.clang(ctx, "-O2", "-fno-builtin", "-w", "-S", "-emit-llvm", "-x", "ir", step[0], "-o",
			step[1]); err != nil {
			return nil, false, err
		}
	}
	if b, err = os.ReadFile(again); err != nil {
		return nil, false, err
	}
	readProbes(b, left)
	if !whole(left) {
		return nil, false, standBack("clang's output lacks code that must be there: it proves nothing (is %s the "+
			"compiler?)", j.Clang.Path)
	}
	j.keep(key, sortedKeys(left))
	return left, false, nil
}

// whole reports whether an answer of the optimiser counts.
func whole(left map[string]bool) bool { return left[canaries[0]] && left[canaries[1]] }

// reach says what the optimiser may take for granted of a unit's surroundings.
func (j *job) reach() reach {
	switch {
	case j.Open:
		return reachAll
	case len(j.p.units) == 1 && j.p.hasMain:
		return reachMain
	}
	return reachExtern
}

func (j *job) emit(ctx context.Context, c, text, ll string, flags []string) error {
	if err := os.WriteFile(c, []byte(text), 0o666); err != nil {
		return err
	}
	return j.clang(ctx, append(append([]string{}, flags...), "-S", "-emit-llvm", c, "-o", ll)...)
}

func (j *job) clang(ctx context.Context, args ...string) error {
	_, err := toolchain.Run(ctx, toolchain.Command{Argv: append(j.limited(j.Clang.Path), args...), Timeout: j.Budget})
	return err
}

// limited is a command that runs a program within the memory that a prover may
// take, and the size of what it may write: its log is read as a whole.
func (j *job) limited(program string) []string {
	return []string{"/bin/sh", "-c", fmt.Sprintf(`ulimit -v %d 2>/dev/null; ulimit -f %d; exec "$@"`, j.MemoryMB*1024,
		answerBlocks), "sh", program}
}

// answerBlocks is 64 MB, in blocks of 512 bytes.
const answerBlocks = 64 << 11

func set(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

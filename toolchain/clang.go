package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"klabel/disk"
	"klabel/fault"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	compileTimeout = 2 * time.Minute
	maxPreprocess  = 256 << 20
	maxOutputMB    = 2 << 10 // no program of the usual kind can be larger
)

// engineFlags make bitcode in which a label stays where it was written: debug
// information, no optimisation, and functions not marked optnone, which would
// keep an engine's own passes from them. Built-in functions stay known to
// clang, because it then writes fabs and the like as operations that an
// engine knows; floating-point operations are not fused, so that the
// engine computes what the replay computes.
var engineFlags = []string{
	"-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone",
	"-fno-stack-protector", "-ffp-contract=off", "-fno-lto",
}

// preprocessFlags come after the user's: fortified headers would replace calls
// with checked ones that no engine knows.
var preprocessFlags = []string{"-O0", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"}

// Undeclared is a flag that refuses calls of functions which no header declares.
const Undeclared = "-Werror=implicit-function-declaration"

// lenient lets newer compilers take what older ones only warned of: C of before 1999 and functions that no
// header declares, and pointers in place of others and of numbers.
var (
	old       = []string{"-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-unknown-warning-option"}
	loosening = []string{"-Wno-int-conversion", "-Wno-incompatible-function-pointer-types", "-Wno-return-mismatch"}
	lenient   = slices.Concat(old, loosening)
)

// Preprocess runs a C file through clang's preprocessor. Line markers are kept.
func (c *Clang) Preprocess(ctx context.Context, file string, flags []string) ([]byte, error) {
	out := &limitedBuffer{limit: maxPreprocess}
	argv := []string{c.Path, "-E", "-x", "c"}
	argv = append(argv, flags...)
	argv = append(argv, preprocessFlags...)
	argv = append(argv, "-Wno-macro-redefined", operand(file), "-o", "-")
	_, err := c.run(ctx, argv, out)
	if out.over != nil { // and that it ends badly is no wonder
		err = fmt.Errorf("%s: %w", c.Path, out.over)
	}
	if err != nil {
		return nil, err
	}
	return out.buffer.Bytes(), nil
}

// CheckSyntax lets clang judge a C file. The error of a file that does not
// compile is a *ToolError whose Stderr holds clang's messages. loose are flags without which
// this clang would refuse it: of those that a compiler of before 2023 does not need.
func (c *Clang) CheckSyntax(ctx context.Context, file string, flags []string) (loose []string, err error) {
	check := func(all ...string) error {
		_, err := c.run(ctx, append(append([]string{c.Path, "-fsyntax-only", "-fno-color-diagnostics"}, all...),
			operand(file)), nil)
		return err
	}
	var strict *ToolError
	err = check(slices.Concat(old, flags, []string{"-ferror-limit=0", "-fno-caret-diagnostics"})...)
	if !errors.As(err, &strict) || strict.ExitCode <= 0 || ctx.Err() != nil {
		return nil, err // accepted, or not answered
	}
	for _, flag := range loosening {
		if strings.Contains(strict.Stderr, "[-W"+strings.TrimPrefix(flag, "-Wno-")+"]") {
			loose = append(loose, flag)
		}
	}
	return loose, check(append(slices.Clone(lenient), flags...)...)
}

// Errors are all that clang finds wrong with C that is preprocessed already, a line each; "" if there is nothing. The
// error is of a clang that could not be asked.
func (c *Clang) Errors(ctx context.Context, file string, flags []string) (string, error) {
	return c.errors(ctx, file, flags, "-fsyntax-only")
}

// Assembles is Errors that asks the assembler, too.
func (c *Clang) Assembles(ctx context.Context, file string, flags []string) (string, error) {
	return c.errors(ctx, file, flags, "-c", "-O0", "-o", os.DevNull)
}

func (c *Clang) errors(ctx context.Context, file string, flags []string, how ...string) (string, error) {
	var out bytes.Buffer
	argv := append(append([]string{c.Path}, how...), "-x", "cpp-output", "-w", "-ferror-limit=0",
		"-fno-color-diagnostics", "-fno-caret-diagnostics")
	argv = append(argv, lenient...)
	_, err := Run(ctx, Command{Argv: append(append(argv, flags...), operand(file)), Stderr: &out})
	var refused *ToolError
	if ctx.Err() == nil && errors.As(err, &refused) && refused.ExitCode > 0 {
		err = nil
	}
	return out.String(), err
}

// Bitcode compiles C (or converts .ll) to LLVM bitcode for an engine.
func (c *Clang) Bitcode(ctx context.Context, in, out string, flags []string) error {
	if !strings.HasSuffix(in, ".bc") && !strings.HasSuffix(in, ".ll") {
		return c.bitcode(ctx, in, out, flags)
	}
	return c.emit(ctx, "-c", in, out, flags)
}

// IR writes LLVM assembly: from C in the same way as Bitcode, from .bc as it is. Functions that are always to stand
// inline are functions: as copies in each caller they can make a program ten times as long.
func (c *Clang) IR(ctx context.Context, in, out string, flags []string) error {
	return c.emit(ctx, "-S", in, out, append(slices.Clip(flags), "-Xclang", "-disable-llvm-passes"))
}

func (c *Clang) emit(ctx context.Context, kind, in, out string, flags []string) error {
	argv := []string{c.Path, kind}
	if strings.HasSuffix(in, ".bc") || strings.HasSuffix(in, ".ll") {
		argv = append(argv, "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-x", "ir")
	} else {
		argv = append(argv, lenient...)
		argv = append(argv, flags...)
		argv = append(argv, engineFlags...)
		argv = append(argv, "-w")
	}
	_, err := c.run(ctx, append(argv, operand(in), "-o", operand(out)), nil)
	return err
}

// Executable compiles and links C and object files to a native program.
func (c *Clang) Executable(ctx context.Context, ins []string, out string, flags []string) error {
	own, libs := splitLibraries(flags)
	quiet := "-w"
	if slices.Contains(own, Undeclared) {
		quiet = "-Wno-everything" // up to clang 15, -w silences errors that were warnings, too
	}
	argv := append(append([]string{c.Path, quiet}, lenient...), own...)
	var files []string
	for _, in := range ins {
		files = append(files, operand(in))
	}
	files = append(append(files, "-o", operand(out)), libs...)
	if lld := c.quickLinker(own); lld != "" {
		_, err := c.run(ctx, slices.Concat(argv, []string{"--ld-path=" + lld}, files), nil)
		var te *ToolError
		if !errors.As(err, &te) || ctx.Err() != nil || !strings.Contains(te.Stderr, "linker command failed") {
			return err
		}
		// The usual linker may accept more, and says in the usual words what is wrong.
	}
	_, err := c.run(ctx, slices.Concat(argv, c.ownLinker(ctx, own), files), nil)
	return err
}

// quickLinker is the lld that is installed with this clang, where flags leave it to klabel
// which linker to take: a program with sanitizers is linked in a fifth of the time.
func (c *Clang) quickLinker(flags []string) string {
	if c.Major < 12 {
		return ""
	}
	for _, o := range Flags(flags).options("") {
		switch o.name {
		case "-c", "-r", "-fuse-ld=", "--ld-path=", "-B", "-T", "--sysroot=", "--sysroot", "-isysroot",
			"--gcc-toolchain=", "-target", "--target=", "-arch":
			return ""
		}
	}
	real, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		return ""
	}
	lld := filepath.Join(filepath.Dir(real), "ld.lld")
	if st, err := os.Stat(lld); err != nil || st.Mode()&0o111 == 0 {
		return ""
	}
	return lld
}

// ownLinker names the linker that clang has by itself where flags say that tools
// and libraries are elsewhere: a folder of headers and libraries, which may come with
// somebody's sources, must not bring a program that klabel runs.
func (c *Clang) ownLinker(ctx context.Context, flags []string) []string {
	elsewhere := false
	for _, o := range Flags(flags).options("") {
		switch o.name {
		case "-c", "-fuse-ld=":
			return nil
		case "--sysroot=", "--sysroot", "-isysroot", "--gcc-toolchain=", "-target", "--target=", "-arch":
			elsewhere = true
		}
	}
	if !elsewhere {
		return nil
	}
	r, err := c.run(ctx, []string{c.Path, "-print-prog-name=ld"}, nil)
	path := strings.TrimSpace(string(r.Stdout))
	if err != nil || !filepath.IsAbs(path) {
		return nil
	}
	if c.Major < 12 {
		return []string{"-fuse-ld=" + path}
	}
	return []string{"--ld-path=" + path}
}

// ZeroedLocals are flags that give local variables zeros at first: what an earlier call,
// or run, has left on the stack is no input, so that runs of one input are alike.
func (c *Clang) ZeroedLocals() []string {
	flags := []string{"-ftrivial-auto-var-init=zero"}
	if c.Major < 16 {
		flags = append(flags, "-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang")
	}
	return flags
}

// Link joins several bitcode files into one.
func (c *Clang) Link(ctx context.Context, ins []string, out string) error {
	if c.LLVMLink == "" {
		return &MissingError{"llvm-link", fmt.Sprintf("not found for clang %s", c.Version), llvmLinkHint(c.Major)}
	}
	argv := append([]string{c.LLVMLink}, ins...)
	_, err := c.run(ctx, append(argv, "-o", out), nil)
	return err
}

// operand keeps a file name from being read as an option or as a list of them.
func operand(name string) string {
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") {
		return "./" + name
	}
	return name
}

// run runs a compiler. Its output file does not survive a failure: clang takes
// care of that itself, except when it is killed.
func (c *Clang) run(ctx context.Context, argv []string, out *limitedBuffer) (Result, error) {
	cmd := Command{Argv: argv, Timeout: compileTimeout, Env: append(os.Environ(), "LC_ALL=C"),
		MemoryMB: memoryFor(), FileMB: maxOutputMB}
	cmd.Processor, _ = ctx.Value(processorKey{}).(time.Duration)
	if out != nil {
		cmd.Stdout = out
	}
	r := Result{ExitCode: -1}
	p, err := Start(ctx, cmd)
	if err == nil {
		go endStalled(p)
		r, err = p.Wait()
	}
	if err != nil {
		var te *ToolError
		if errors.As(err, &te) {
			if p := cmd.Processor; p > 0 && te.Signal == unix.SIGKILL && te.Cause == nil && te.Elapsed >= p {
				te.Cause = ErrProcessorTime
			}
			hint := compileHint(te.Stderr)
			if disk.NoRoom(te) {
				hint = disk.AdviceAt(outputOf(argv)...)
			}
			err = fault.WithHint(err, "%s", hint)
		}
		for _, out := range outputOf(argv) {
			_ = os.Remove(out) // mostly it was never written
		}
	}
	return r, err
}

// ErrProcessorTime matches the ToolError of a compiler that used all of WithProcessorTime.
var ErrProcessorTime = errors.New("needs more time than there is")

type processorKey struct{}

// WithProcessorTime bounds what each compiler that is run within the context uses of a
// processor: a bound that does not depend on what else the machine does.
func WithProcessorTime(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, processorKey{}, most)
}

// LessProcessorTime takes from that bound, if there is one, what an earlier compiler may
// have used. It leaves a second, for a bound of nothing would be none.
func LessProcessorTime(ctx context.Context, used time.Duration) context.Context {
	most, ok := ctx.Value(processorKey{}).(time.Duration)
	if !ok {
		return ctx
	}
	return WithProcessorTime(ctx, max(most-used, time.Second))
}

// outputOf is the file that a compiler writes, if it writes one.
func outputOf(argv []string) []string {
	for i, a := range argv {
		if a == "-o" && i+1 < len(argv) && argv[i+1] != "-" {
			return argv[i+1 : i+2]
		}
	}
	return nil
}

// compileHint turns the messages that newcomers meet into what to do.
func compileHint(stderr string) string {
	switch {
	case strings.Contains(stderr, "stubs-32.h"), strings.Contains(stderr, "skipping incompatible"):
		return hint32
	case strings.Contains(stderr, "clang_rt"):
		return "the sanitizers' runtime is missing: sudo apt-get install the libclang-rt-*-dev package of this clang"
	case strings.Contains(stderr, "crt1.o") || strings.Contains(stderr, "cannot find -lc"),
		strings.Contains(stderr, "'stdio.h' file not found"), strings.Contains(stderr, "'stddef.h' file not found"):
		return "the C library's development files are missing: " + installHint("libc")
	case strings.Contains(stderr, "file not found"):
		return "give the folder of the header with -I"
	case strings.Contains(stderr, "conflicting types for '") && strings.Contains(stderr, "/usr/include/"):
		return "a header of the C library declares that name, too: with --std c99 it keeps to that standard's"
	}
	if m := undeclaredMacro.FindStringSubmatch(stderr); m != nil {
		return fmt.Sprintf("if %s is a macro that the build defines, give it with -D %s=VALUE", m[1], m[1])
	}
	return ""
}

// undeclaredMacro finds names that nobody declares and that are written as macros are.
var undeclaredMacro = regexp.MustCompile(`use of undeclared identifier '([A-Z][A-Z0-9_]+)'`)

// limitedBuffer holds what must be complete to be of use: it fails rather than
// drop something. The buffer is not embedded: its ReadFrom would know no limit.
type limitedBuffer struct {
	buffer bytes.Buffer
	limit  int
	over   error // there was more
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.buffer.Len()+len(p) > b.limit {
		b.over = fmt.Errorf("output is larger than %d MB", b.limit>>20)
		return 0, b.over
	}
	return b.buffer.Write(p)
}

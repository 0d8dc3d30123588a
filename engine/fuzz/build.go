package fuzz

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/runtime_c"
	"klabel/toolchain"
)

// programFlags compile the program under test: quick, but with the meaning that
// replays give it.
var programFlags = []string{
	"-c", "-O1", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-ffp-contract=off",
	"-fno-common", "-fno-pie", "-fsanitize=fuzzer-no-link", "-Dmain=klabel_fuzz_main",
	// Of what the replay's sanitizers see, that which costs little: a run that goes on
	// behind an error is no find.
	"-fsanitize=bounds,shift-exponent,integer-divide-by-zero,float-cast-overflow,unreachable,return,vla-bound",
	"-fsanitize-trap=bounds,shift-exponent,integer-divide-by-zero,float-cast-overflow,unreachable,return,vla-bound",
}

// replaced are the functions that the runtime has its own of, named klabel_fuzz_*.
var replaced = []string{
	"malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign", "malloc_usable_size",
	"strdup", "strndup", "exit", "_exit", "abort", "atexit", "fork",
}

// others are further names of functions that are replaced.
var others = map[string]string{
	"cfree": "free", "memalign": "aligned_alloc", "_Exit": "_exit", "quick_exit": "_exit", "vfork": "fork",
}

func replacements() (out []string) {
	for _, f := range replaced {
		out = append(out, "-D"+f+"=klabel_fuzz_"+f)
	}
	for f, by := range others {
		out = append(out, "-D"+f+"=klabel_fuzz_"+by)
	}
	return out
}

// Source is one instrumented C file and the flags that it alone is compiled with.
type Source struct {
	File  string
	Flags toolchain.Flags
}

// Image is what a fuzzed program is made of.
type Image struct {
	Sources []Source
	Symbols []string // C functions void SYMBOL(void), the entries beside main
	Main    bool     // the program has a main
	Args    []string // of main, from argv[1] on
	Words   []string // strings of the program, to be put into inputs
	Numbers []uint64 // numbers of the program, too
	// Fractions says that some inputs are floating-point numbers.
	Fractions bool
	MaxID     uint32   // the largest label number
	Flags     []string // for compiler and linker: -std, -D, -l and the like
	// Patience is how long optimising a source may take: functions of a thousand branches take
	// seconds. One that would take longer runs as the compiler wrote it first. 0: as long as it takes.
	Patience time.Duration
}

// Build compiles an image into the program out. Its own code is traced by
// libFuzzer, the runtime is not.
func Build(ctx context.Context, clang *toolchain.Clang, im Image, out string) error {
	dir, err := os.MkdirTemp(filepath.Dir(out), ".fuzz-build-")
	if err != nil {
		return fmt.Errorf("building the fuzzed program: %w", err)
	}
	defer os.RemoveAll(dir)
	paths, err := runtime_c.Extract(filepath.Join(dir, "c"))
	if err != nil {
		return err
	}
	common := toolchain.Flags(im.Flags)
	machine := common.Machine()
	if len(im.Sources) > 0 {
		machine = append(machine, im.Sources[0].Flags.Machine()...)
	}
	table := filepath.Join(dir, "table.c")
	if err := os.WriteFile(table, im.table(), 0o666); err != nil {
		return fmt.Errorf("building the fuzzed program: %w", err)
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	var objects []string
	// The linker script knows the program's objects, whose variables are put back
	// between runs, by the ends of their names: folders may have any.
	compile := func(file, object string, patience time.Duration, flags []string) {
		objects = append(objects, object)
		g.Go(func() error {
			if err := patiently(gctx, clang, file, object, patience, flags); err != nil {
				return fmt.Errorf("building the fuzzed program: %w", err)
			}
			return nil
		})
	}
	for i, src := range im.Sources {
		flags := append(append([]string{"-I" + paths.Include}, programFlags...), clang.ZeroedLocals()...)
		flags = append(flags, replacements()...)
		flags = append(append(flags, common.Compile()...), src.Flags.Compile()...)
		compile(src.File, filepath.Join(dir, fmt.Sprintf("program-%d.fuzzed.o", i+1)), im.Patience, flags)
	}
	compile(table, filepath.Join(dir, "table.fuzzed.o"), 0, append(append([]string{"-I" + filepath.Dir(paths.FuzzLink)},
		runtimeFlags...), machine...))
	var runtime string
	g.Go(func() (err error) {
		runtime, err = runtimeObject(gctx, clang, machine, dir)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	linking := []string{"-fsanitize=fuzzer", "-no-pie", "-Xlinker", "-T", "-Xlinker", paths.FuzzLink}
	for _, f := range runtime_c.Reading {
		linking = append(linking, "-Wl,--wrap="+f)
	}
	linking = append(append(append(linking, machine...), common.Link()...), "-lm", "-lpthread")
	tmp := filepath.Join(dir, "program")
	if err := clang.Executable(ctx, append(objects, runtime), tmp, linking); err != nil {
		return fmt.Errorf("linking the fuzzed program: %w", err)
	}
	return os.Rename(tmp, out)
}

// optimising takes so many times as long as compiling without.
const optimising = 5

// patiently compiles a source without optimisation, which is done soon and runs small functions
// nearly as often, and then once more with it, where by what the first took that ends within
// patience. The second compiler has what the first left of the processor's time.
func patiently(ctx context.Context, clang *toolchain.Clang, file, object string, patience time.Duration,
	flags []string) error {
	if patience <= 0 {
		return clang.Executable(ctx, []string{file}, object, flags)
	}
	begin := time.Now()
	if err := clang.Executable(ctx, []string{file}, object, append(slices.Clone(flags), "-O0")); err != nil {
		return err
	}
	took := time.Since(begin)
	if took*optimising > patience {
		return nil
	}
	short, cancel := context.WithTimeout(toolchain.LessProcessorTime(ctx, took), patience)
	defer cancel()
	better := object + ".optimised"
	if clang.Executable(short, []string{file}, better, flags) != nil {
		return ctx.Err() // what is there does
	}
	return os.Rename(better, object)
}

// table is C that tells the runtime of the image.
func (im Image) table() []byte {
	var b bytes.Buffer
	b.WriteString("#include \"fuzz.h\"\n\n")
	for _, s := range im.Symbols {
		fmt.Fprintf(&b, "void %s(void);\n", s)
	}
	if im.Main {
		for i, a := range im.Args {
			fmt.Fprintf(&b, "static const char arg%d[] = %s;\n", i, bytesInC(a))
		}
	}
	b.WriteString("const char *const klabel_fuzz_arguments[] = {")
	for i := range im.Args {
		if im.Main {
			fmt.Fprintf(&b, "arg%d, ", i)
		}
	}
	b.WriteString("NULL};\n")
	words, keywords := keywordsFirst(im.Words)
	for i, w := range words {
		fmt.Fprintf(&b, "static const char word%d[] = %s;\n", i, bytesInC(w))
	}
	b.WriteString("const struct klabel_fuzz_word klabel_fuzz_words[] = {\n")
	for i := range im.Words {
		fmt.Fprintf(&b, "    {word%d, sizeof word%d},\n", i, i)
	}
	fmt.Fprintf(&b, "    {NULL, 0}};\nconst unsigned klabel_fuzz_word_count = %d, klabel_fuzz_keyword_count = %d;\n",
		len(words), keywords)
	numbers := slices.Sorted(slices.Values(im.Numbers))
	small := 0
	b.WriteString("const unsigned long long klabel_fuzz_numbers[] = {")
	for i, n := range numbers {
		if n < 256 {
			small = i + 1
		}
		fmt.Fprintf(&b, "%#xu, ", n)
	}
	fmt.Fprintf(&b, "0};\nconst unsigned klabel_fuzz_number_count = %d, klabel_fuzz_small_count = %d;\n", len(numbers),
		small)
	fractions := 0
	if im.Fractions {
		fractions = 1
	}
	fmt.Fprintf(&b, "const int klabel_fuzz_fractions = %d;\n", fractions)
	b.WriteString("\nconst struct klabel_fuzz_entry klabel_fuzz_entries[] = {\n")
	for _, s := range im.Symbols {
		fmt.Fprintf(&b, "    {\"%s\", %s},\n", s, s)
	}
	if im.Main {
		b.WriteString("    {\"\", klabel_fuzz_run_main},\n")
	}
	fmt.Fprintf(&b, "    {NULL, NULL}};\nconst int klabel_fuzz_labels = %d;\n", im.MaxID+1)
	fmt.Fprintf(&b, "__attribute__((section(\"__libfuzzer_extra_counters\")))\n"+
		"unsigned char klabel_fuzz_counters[COUNTERS * %d];\n", im.MaxID+1)
	return b.Bytes()
}

// keywordsFirst sorts a program's strings: those that look like what it compares text
// with, and not like a message, come first; there are so many.
func keywordsFirst(words []string) (sorted []string, keywords int) {
	var others []string
	for _, w := range words {
		if len(w) > longestKeyword || strings.ContainsAny(w, " \t\r\n%") {
			others = append(others, w)
		} else {
			sorted = append(sorted, w)
		}
	}
	return append(sorted, others...), len(sorted)
}

const longestKeyword = 20

// bytesInC is the initializer of an array that holds a string.
func bytesInC(s string) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%d, ", int8(c))
	}
	return b.String() + "0}"
}

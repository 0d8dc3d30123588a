package replayer

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"klabel/disk"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// programFlags compile the program under test: as written (-O0 keeps each
// faulty access), and with what engines define defined.
var programFlags = []string{
	"-c", "-g", "-O0", "-fwrapv", "-fno-strict-aliasing", "-fno-omit-frame-pointer",
	"-fno-delete-null-pointer-checks", "-ffp-contract=off", "-fno-builtin-abort",
}

// undefinedBehaviour is what UBSan looks for: all but what an engine computes
// in a defined way, namely wrap-around, shifts of negative numbers, pointer
// arithmetic, unaligned access, a _Bool other than 0 and 1, calls through a pointer
// of another type, and NULL where a function of the C library is told that there is
// nothing (the runtime tells those calls from others, see null.c).
var undefinedBehaviour = []string{
	"-fsanitize=undefined",
	"-fno-sanitize=signed-integer-overflow,shift-base,pointer-overflow,alignment,bool,function,vptr",
	"-fno-sanitize-recover=all", "-fsanitize-recover=nonnull-attribute",
}

// nullArgument is what UBSan calls for a null pointer where an attribute forbids one.
const nullArgument = "__ubsan_handle_nonnull_arg"

// Source is one instrumented C file and the flags that it alone is compiled
// with.
type Source struct {
	File  string
	Flags toolchain.Flags
}

// BuildAll compiles the C texts that instrument wrote for replays, together with
// the replay runtime, into the program out: of one or several files, with entries
// beside its main, or without a main. With sanitize it is checked by
// AddressSanitizer and UBSan where clang has their runtimes; without runtimes
// UBSan's checks still end the program. Flags are further ones for the
// compiler and the linker, such as -std, -D and -l.
func BuildAll(ctx context.Context, clang *toolchain.Clang, sources []Source, entries []Entry, out string, sanitize bool,
	flags ...string) error {
	if clang == nil {
		return fmt.Errorf("building the replay program: %w", toolchain.ErrMissing)
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".replay-build-")
	if err != nil {
		return fmt.Errorf("building the replay program: %w", err)
	}
	defer os.RemoveAll(dir)
	paths, err := runtime_c.Extract(filepath.Join(dir, "c"))
	if err != nil {
		return err
	}
	_, link := sanitizers(clang, sanitize)
	runtime := filepath.Join(dir, "runtime.o")
	own := append([]string{paths.Verifier}, paths.Replay...)
	common := toolchain.Flags(flags)
	machine := common.Machine()
	if len(sources) > 0 {
		machine = append(machine, sources[0].Flags.Machine()...)
	}
	forRuntime := runtimeFlags(machine)
	cached := cachedRuntime(clang, forRuntime)
	objects := make([]string, len(sources)+1)
	objects[len(sources)] = runtime
	if len(entries) > 0 {
		objects = append(objects, filepath.Join(dir, "entries.o"))
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	// One relocatable object, without instrumentation: it must not judge itself. What takes longest begins first.
	g.Go(func() error {
		if cached != "" && takeCached(cached, runtime) == nil {
			return nil
		}
		if err := clang.Executable(gctx, own, runtime, forRuntime); err != nil {
			return fmt.Errorf("building the replay runtime: %w", err)
		}
		if cached != "" {
			if err := putCached(runtime, cached); err != nil {
				disk.WithoutCache(err)
			}
		}
		return nil
	})
	for _, i := range largestFirst(sources) {
		src := sources[i]
		objects[i] = filepath.Join(dir, fmt.Sprintf("program-%d.o", i+1))
		g.Go(func() error {
			compile := append([]string{"-I" + paths.Include}, Flags(clang, sanitize)...)
			compile = append(append(compile, common.Compile()...), src.Flags.Compile()...)
			if err := clang.Executable(gctx, []string{src.File}, objects[i], compile); err != nil {
				return fmt.Errorf("building the replay program: %w", err)
			}
			return nil
		})
	}
	if len(entries) > 0 {
		g.Go(func() error {
			return buildEntries(gctx, clang, entries, objects[len(sources)+1], paths.Replay, machine)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	// Symbols are bound when the server starts, not anew in each child.
	linking := append([]string{"-g", "-Wl,--wrap=main", "-Wl,-z,now", "-Xlinker", "--dynamic-list=" + paths.Exported},
		link...)
	for _, call := range slices.Concat(failingCalls, clockCalls, memoryCalls, lockCalls, runtime_c.Reading) {
		linking = append(linking, "-Wl,--wrap="+call)
	}
	linking = append(linking, "-Wl,--wrap="+nullArgument)
	if len(entries) == 0 {
		linking = append(linking, "-Wl,--require-defined=main")
	}
	linking = append(append(append(linking, machine...), common.Link()...), "-lm", "-lpthread")
	tmp := filepath.Join(dir, "program")
	if err := clang.Executable(ctx, objects, tmp, linking); err != nil {
		return fmt.Errorf("linking the replay program: %w", err)
	}
	return os.Rename(tmp, out)
}

// largestFirst are the sources' places, by size.
func largestFirst(sources []Source) []int {
	sizes, order := make([]int64, len(sources)), make([]int, len(sources))
	for i, src := range sources {
		order[i] = i
		if info, err := os.Stat(src.File); err == nil { // the compiler says what is wrong with others
			sizes[i] = info.Size()
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return order
}

// failingCalls are those that a test may ask to fail, beside read: the runtime has them.
var failingCalls = []string{"write", "close", "ftruncate", "getcwd", "fclose", "fflush", "fputs", "fwrite", "fseek",
	"ftell", "ferror", "clearerr", "rewind"}

// clockCalls are told a time that is the same in each run.
var clockCalls = []string{"time", "clock", "gettimeofday"}

// memoryCalls end a run that asks for what one machine has and another has not.
var memoryCalls = []string{"malloc", "calloc", "realloc"}

// lockCalls end a run that would wait for itself.
var lockCalls = []string{"pthread_mutex_lock"}

// cachedRuntime names the compiled runtime in the user's cache directory: it is
// the same for every program, and takes longer to compile than most of them.
// The name holds all that it depends on. It is empty where there is no cache.
func cachedRuntime(clang *toolchain.Clang, flags []string) string {
	dir, err := disk.Cache()
	if err != nil {
		return ""
	}
	key := sha256.Sum256([]byte(fmt.Sprintf("%s %s %q %s", clang.Path, clang.Version, flags, runtime_c.Digest())))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		disk.WithoutCache(err)
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("replay-%x.cached", key[:12]))
}

var errCached = errors.New("the cached file is damaged")

// cachedSum is of a file in the cache, by its name: another one is no better than a
// damaged one.
func cachedSum(cached string, b []byte) []byte {
	sum := sha256.Sum256(append([]byte(filepath.Base(cached)+" "), b...))
	return sum[:]
}

// takeCached copies a file out of the cache, if it is as it was put there: it
// stands behind its checksum.
func takeCached(cached, to string) error {
	b, err := disk.Read(cached)
	if err != nil {
		return err
	}
	if len(b) < sha256.Size {
		return errCached
	}
	if !bytes.Equal(cachedSum(cached, b[sha256.Size:]), b[:sha256.Size]) {
		return errCached
	}
	return os.WriteFile(to, b[sha256.Size:], 0o666)
}

// putCached leaves a whole file in the cache, or none.
func putCached(from, cached string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return disk.Write(cached, append(cachedSum(cached, b), b...))
}

// Flags are those that every file of a replay program is compiled with.
func Flags(c *toolchain.Clang, sanitize bool) []string {
	checks, _ := sanitizers(c, sanitize)
	return slices.Concat(programFlags, c.ZeroedLocals(), checks)
}

func sanitizers(c *toolchain.Clang, sanitize bool) (compile, link []string) {
	switch {
	case !sanitize:
		return nil, nil
	case c.HasASan && c.HasUBSan:
		return append([]string{"-fsanitize=address"}, undefinedBehaviour...), []string{"-fsanitize=address,undefined"}
	case c.HasASan:
		return append(trapping(), "-fsanitize=address"), []string{"-fsanitize=address"}
	case c.HasUBSan:
		return undefinedBehaviour, []string{"-fsanitize=undefined"}
	}
	return trapping(), nil
}

// trapping makes UBSan's checks end in SIGILL, which needs no runtime.
func trapping() []string {
	return append(append([]string{}, undefinedBehaviour...), "-fsanitize-trap=undefined")
}

// runtimeFlags are those of the replay runtime.
func runtimeFlags(machine toolchain.Flags) []string {
	return append([]string{"-r", "-nostdlib", "-std=c11", "-D_GNU_SOURCE", "-O2", "-g1"}, machine...)
}

package replayer

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

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
// arithmetic, unaligned access, a _Bool other than 0 and 1, and calls through
// a pointer of another type.
var undefinedBehaviour = []string{
	"-fsanitize=undefined",
	"-fno-sanitize=signed-integer-overflow,shift-base,pointer-overflow,alignment,bool,function,vptr",
	"-fno-sanitize-recover=all",
}

// Source is one instrumented C file and the flags that it alone is compiled
// with.
type Source struct {
	File  string
	Flags []string
}

// Build compiles the C text that instrument wrote for replays, together with
// the replay runtime, into the program out. With sanitize it is checked by
// AddressSanitizer and UBSan where clang has their runtimes; without runtimes
// UBSan's checks still end the program. Flags are further ones for the
// compiler and the linker, such as -std, -D and -l.
func Build(ctx context.Context, clang *toolchain.Clang, replayC, out string, sanitize bool, flags ...string) error {
	return BuildAll(ctx, clang, []Source{{File: replayC}}, out, sanitize, flags...)
}

// BuildAll is Build for a program of several files.
func BuildAll(ctx context.Context, clang *toolchain.Clang, sources []Source, out string, sanitize bool, flags ...string) error {
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
	checks, link := sanitizers(clang, sanitize)
	runtime := filepath.Join(dir, "runtime.o")
	own := append([]string{paths.Verifier}, paths.Replay...)
	cached := cachedRuntime(clang, runtimeFlags(flags))
	objects := make([]string, len(sources)+1)
	objects[len(sources)] = runtime
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, src := range sources {
		objects[i] = filepath.Join(dir, fmt.Sprintf("program-%d.o", i+1))
		g.Go(func() error {
			compile := append(append([]string{"-I" + paths.Include}, programFlags...), checks...)
			compile = append(append(compile, compileOnly(flags)...), compileOnly(src.Flags)...)
			if err := clang.Executable(gctx, []string{src.File}, objects[i], compile); err != nil {
				return fmt.Errorf("building the replay program: %w", err)
			}
			return nil
		})
	}
	// One relocatable object, without instrumentation: it must not judge itself.
	g.Go(func() error {
		if cached != "" && copyFile(cached, runtime) == nil {
			return nil
		}
		if err := clang.Executable(gctx, own, runtime, runtimeFlags(flags)); err != nil {
			return fmt.Errorf("building the replay runtime: %w", err)
		}
		if cached != "" {
			_ = copyFile(runtime, cached) // no cache costs time alone
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		return err
	}
	// Symbols are bound when the server starts, not anew in each child.
	linking := append([]string{"-g", "-Wl,--wrap=main", "-Wl,-z,now", "-Wl,--dynamic-list=" + paths.Exported}, link...)
	linking = append(append(linking, flags...), "-lm", "-lpthread")
	tmp := filepath.Join(dir, "program")
	if err := clang.Executable(ctx, objects, tmp, linking); err != nil {
		return fmt.Errorf("linking the replay program: %w", err)
	}
	return os.Rename(tmp, out)
}

// cachedRuntime names the compiled runtime in the user's cache directory: it is
// the same for every program, and takes longer to compile than most of them.
// The name holds all that it depends on. It is empty where there is no cache.
func cachedRuntime(clang *toolchain.Clang, flags []string) string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	key := sha256.Sum256([]byte(fmt.Sprintf("%s %s %q %s", clang.Path, clang.Version, flags, runtime_c.Digest())))
	dir := filepath.Join(base, "klabel")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("replay-%x.o", key[:12]))
}

// copyFile leaves a whole file at to, or none.
func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".part-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
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

// compileOnly leaves out the flags that make no sense without linking.
func compileOnly(flags []string) (rest []string) {
	for _, f := range flags {
		if len(f) > 2 && (f[:2] == "-l" || f[:2] == "-L") || len(f) > 4 && f[:4] == "-Wl," {
			continue
		}
		rest = append(rest, f)
	}
	return rest
}

// runtimeFlags keeps of the user's flags those that change the ABI.
func runtimeFlags(flags []string) []string {
	own := []string{"-r", "-nostdlib", "-std=c11", "-D_GNU_SOURCE", "-O2", "-g1"}
	for _, f := range flags {
		if len(f) > 2 && f[:2] == "-m" {
			own = append(own, f)
		}
	}
	return own
}

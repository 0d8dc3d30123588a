package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/drivers"
	"klabel/linkage"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// cHeaders are the headers of the C library, and the folders of them: what they declare is always there.
var cHeaders = func() map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(`aio alloca argz ar argp assert byteswap complex cpio crypt ctype dirent dlfcn elf endian envz err errno error
execinfo fcntl features fenv float fmtmsg fnmatch fstab fts ftw getopt glob grp iconv ifaddrs inttypes iso646
langinfo libgen limits link locale malloc math mcheck memory mntent monetary mqueue netdb nl_types nss obstack
paths poll printf pthread pty pwd regex resolv sched search semaphore setjmp sgtty shadow signal spawn stab
stdarg stdalign stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings syscall sysexits
syslog tar termio termios tgmath threads time ttyent uchar ucontext ulimit unistd utime utmp utmpx values wait
wchar wctype wordexp xlocale`) {
		out[n+".h"] = true
	}
	for _, n := range strings.Fields("arpa asm asm-generic bits gnu linux net netinet netipx protocols rpc scsi sys") {
		out[n] = true
	}
	return out
}()

// isCLibrarys reports whether a header of the system's is one of the C library, or of the compiler.
func isCLibrarys(path string) bool {
	path = filepath.ToSlash(path)
	if strings.Contains(path, "/clang/") || strings.Contains(path, "/gcc/") {
		return true
	}
	_, below, ok := strings.Cut(path, "/usr/include/")
	if !ok {
		return false
	}
	parts := strings.Split(below, "/")
	if len(parts) > 1 && strings.Count(parts[0], "-") >= 2 { // x86_64-linux-gnu
		parts = parts[1:]
	}
	return cHeaders[parts[0]]
}

// ofLibraries are the functions that units mention and headers of other libraries than C's declare, but for klabel's
// own in a folder, and those of C libraries that the program declares itself.
func ofLibraries(units []*csource.Unit, defined linkage.Definitions, own string) []string {
	names := map[string]bool{}
	for _, u := range units {
		for name := range u.Mentioned() {
			for _, n := range u.AST.Scope.Nodes[name] {
				d, ok := n.(*cc.Declarator)
				if !ok || d.IsTypename() || d.IsStatic() || d.Type().Kind() != cc.Function ||
					defined.Defines(name) || u.Function(name) != nil {
					continue
				}
				at, ok := u.Span(d.NameTok())
				if !ok {
					continue
				}
				if t, isFunction := d.Type().(*cc.FunctionType); !u.IsSystem(at.Start) {
					if isFunction && drivers.InLibrary(name, t) { // of some machine's: glibc had no strlcpy for long
						names[name] = true
					}
					continue
				}
				if header := u.Origin(at.Start).File; !isCLibrarys(header) && !strings.HasPrefix(header, own) {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// findUnlinked asks the linker which functions of other libraries it does not find: nobody has named the library, and
// the rest of the program need not wait for it. Stubs stand in for them, as for what the program's own headers declare.
func (p *program) findUnlinked(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) error {
	names := ofLibraries(p.units, p.defined(), rt.Include)
	if len(names) == 0 || len(p.modules) > 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "klabel-link-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var text strings.Builder
	for _, n := range names {
		fmt.Fprintf(&text, "extern char %s[];\n", n)
	}
	fmt.Fprintf(&text, "char *all[] = {%s};\nint main(void) { return all[0] == 0; }\n", strings.Join(names, ", "))
	file := filepath.Join(dir, "all.c")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return err
	}
	err = clang.Executable(ctx, []string{file}, filepath.Join(dir, "all"), slices.Concat([]string{"-fno-builtin"},
		p.linkFlags, []string{"-lm", "-lpthread"}))
	var tool *toolchain.ToolError
	if !errors.As(err, &tool) {
		return ctx.Err()
	}
	j.Driver.Unlinked = map[string]bool{}
	for _, n := range toolchain.Undefined(tool.Stderr) {
		if slices.Contains(names, n) {
			j.Driver.Unlinked[n] = true
		}
	}
	return nil
}

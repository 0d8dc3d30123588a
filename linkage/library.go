package linkage

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// libraryNames are names of the C library, and of what stands in for it, that a
// program may define for something of its own. To a compiler they mean the
// library's functions (an exit that comes back is followed by nothing), and what
// judges a run calls them.
var libraryNames = strings.Fields(`
abort abs aligned_alloc alloca asctime assert atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc clearerr
clock close ctime difftime div dprintf dup dup2 environ err errx execve exit fclose fcntl fdopen feof ferror fflush
ffs ffsl fgetc fgetpos fgets fileno fopen fork fprintf fputc fputs fread free freopen fscanf fseek fsetpos fstat
ftell fwrite getc getchar getenv getline getpid gets gettimeofday gmtime index ioctl isalnum isalpha isascii isatty
isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit kill labs ldiv link llabs lldiv
localtime longjmp lseek madvise malloc mblen memalign memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr
memset mkdir mktime mmap mprotect munmap nanosleep open pause perror pipe poll posix_memalign printf putc putchar
putenv puts qsort quick_exit raise rand random read realloc reallocarray remove rename rewind rindex rmdir scanf
select setbuf setenv setjmp setvbuf sigaction siglongjmp signal sigprocmask sigsetjmp sleep snprintf sprintf srand
srandom sscanf stat stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime
strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn
strstr strtod strtof strtok strtok_r strtol strtold strtoll strtoul strtoull strxfrm syscall sysconf system time
times tmpfile tmpnam toascii tolower toupper ungetc unlink usleep vfork vfprintf vprintf vsnprintf vsprintf wait
waitid waitpid write __assert __assert_fail _exit _Exit
access brk chdir chmod clock_gettime clone closedir dl_iterate_phdr dladdr dlclose dlopen dlsym fchdir fchmod
fdopendir flock fstatat fsync ftruncate futimens getcwd getdents geteuid getpgid getppid getrlimit getrusage gettid
getuid linkat lstat memfd_create mkdirat mlock mremap msgctl msync openat opendir personality pidfd_open pipe2 ppoll
prctl pread process_vm_readv ptrace pwrite readdir readlink readlinkat rewinddir sbrk sched_yield secure_getenv semctl
setitimer setpgid setrlimit setsid shmctl shmget sigaddset sigaltstack sigdelset sigemptyset sigfillset sigismember
sigsuspend symlink sysinfo truncate uname unlinkat
acos acosh asin asinh atan atan2 atanh cabs carg cbrt ceil cimag conj copysign cos cosh creal erf erfc exp exp10 exp2
expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan j0 j1 jn ldexp lgamma
llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow pow10 remainder remquo rint
round roundeven scalb scalbln scalbn signbit significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn`)

// library has the names with which mathematical functions end for float and long
// double as well.
var library = func() map[string]bool {
	out := map[string]bool{}
	maths := false
	for _, n := range libraryNames {
		out[n] = true
		if maths = maths || n == "acos"; maths {
			out[n+"f"], out[n+"l"] = true, true
		}
	}
	return out
}()

// sanitizers begin the names by which a program speaks to its sanitizers or its fuzzer,
// which are klabel's here.
var sanitizers = []string{"__asan_", "__ubsan_", "__lsan_", "__tsan_", "__msan_", "__hwasan_", "__sanitizer_",
	"__sancov_", "LLVMFuzzer"}

func ofLibrary(name string) bool {
	return library[name] ||
		slices.ContainsFunc(sanitizers, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// OwnLibrary is C that gives the program's own definitions of such names names of
// their own, for every unit: they are the program's, not the library's. So are stubs for
// what it declares in its own words and does not define.
func (g Definitions) OwnLibrary(stubs ...string) string {
	var lines []string
	add := func(name string) {
		if ofLibrary(name) {
			lines = append(lines, "#undef "+name+"\n#define "+name+" klabel_own_"+name+"\n")
		}
	}
	for _, own := range g.units {
		for name := range own {
			add(name)
		}
	}
	for _, name := range stubs {
		add(name)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

// OwnLibrary is that of a unit alone.
func OwnLibrary(u *csource.Unit) string { return Defined([]*csource.Unit{u}).OwnLibrary() }

// Hides are the names of the library under which one of the units, of which the
// definitions are, has something of its own, of which none of its headers speaks: one
// that is included later may. What other units know it by is left out.
func (g Definitions) Hides(units []*csource.Unit, unit int) (names []string) {
	for name, nodes := range units[unit].AST.Scope.Nodes {
		if _, shared := g.units[unit][name]; ofLibrary(name) && own(units[unit], name, nodes) &&
			(!shared || !slices.ContainsFunc(units, func(other *csource.Unit) bool {
				return other != units[unit] && other.Mentioned()[name]
			})) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Redeclares are the functions of the library that a unit declares in its own words, in a block perhaps, and none of
// the headers that it includes: `char *malloc();`. A header that is included later declares them otherwise.
func Redeclares(u *csource.Unit) (names []string) {
	for _, f := range u.Functions() {
		u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
			d, ok := n.(*cc.Declarator)
			if ok && !d.IsTypename() && d.Type().Kind() == cc.Function && ofLibrary(d.Name()) &&
				len(u.AST.Scope.Nodes[d.Name()]) == 0 {
				names = append(names, d.Name())
			}
			return true
		})
	}
	for name, nodes := range u.AST.Scope.Nodes {
		if ofLibrary(name) && u.Function(name) == nil && !slices.ContainsFunc(nodes, func(n cc.Node) bool {
			d, ok := n.(*cc.Declarator)
			if !ok || d.IsTypename() || d.Type().Kind() != cc.Function {
				return true
			}
			s, ok := u.Span(d.NameTok())
			return !ok || u.IsSystem(s.Start)
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// own reports whether a unit alone declares a name, and defines it.
func own(u *csource.Unit, name string, nodes []cc.Node) (defined bool) {
	for _, n := range nodes {
		d, ok := n.(*cc.Declarator)
		if !ok {
			continue
		}
		if s, ok := u.Span(d.NameTok()); !ok || u.IsSystem(s.Start) {
			return false
		}
		if d.Type().Kind() == cc.Function && !d.IsTypename() {
			defined = defined || u.Function(name) != nil
		} else {
			defined = defined || !d.IsExtern() || d.HasInitializer()
		}
	}
	return defined
}

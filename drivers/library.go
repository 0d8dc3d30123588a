package drivers

import (
	"strings"

	"modernc.org/cc/v4"
)

// librarySignatures are functions of the C library that programs declare by hand,
// or call without a declaration: result and parameters, i for integers, f for
// floating-point numbers, p for pointers, v for void, "." for variable arguments.
const librarySignatures = `
isalnum:ii isalpha:ii isascii:ii isblank:ii iscntrl:ii isdigit:ii isgraph:ii islower:ii isprint:ii ispunct:ii
isspace:ii isupper:ii isxdigit:ii toascii:ii tolower:ii toupper:ii
strlen:ip strnlen:ipi strcmp:ipp strncmp:ippi strcasecmp:ipp strncasecmp:ippi strcpy:ppp strncpy:pppi strcat:ppp
strncat:pppi strchr:ppi strrchr:ppi strstr:ppp strpbrk:ppp strspn:ipp strcspn:ipp strdup:pp strndup:ppi strtok:ppp
strtok_r:pppp strsep:ppp strcoll:ipp strcasestr:ppp strchrnul:ppi strerror:pi strlcpy:ippi strlcat:ippi stpcpy:ppp
stpncpy:pppi index:ppi rindex:ppi basename:pp dirname:pp
memchr:ppii memcmp:ippi memcpy:pppi memmove:pppi memset:ppii mempcpy:pppi memccpy:pppii memmem:ppipi memrchr:ppii
bcmp:ippi bcopy:vppi bzero:vpi ffs:ii swab:vppi
atoi:ip atol:ip atoll:ip atof:fp strtol:ippi strtoul:ippi strtoll:ippi strtoull:ippi strtod:fpp strtof:fpp
abs:ii labs:ii llabs:ii rand:i srand:vi rand_r:ip random:i srandom:vi drand48:f lrand48:i mrand48:i srand48:vi
qsort:vpiip bsearch:pppiip getenv:pp setenv:ippi unsetenv:ip putenv:ip getopt:iipp
time:ip clock:i difftime:fii asctime:pp ctime:pp gmtime:pp localtime:pp gettimeofday:ipp sleep:ii usleep:ii alarm:ii
malloc:pi calloc:pii realloc:ppi reallocarray:ppii aligned_alloc:pii posix_memalign:ipii free:vp exit:vi abort:v
atexit:ip raise:ii
printf:ip. fprintf:ipp. sprintf:ipp. snprintf:ipip. asprintf:ipp. dprintf:iip. sscanf:ipp. scanf:ip. fscanf:ipp.
vprintf:ipp vfprintf:ippp vsprintf:ippp vsnprintf:ipipp vasprintf:ippp puts:ip gets:pp putchar:ii getchar:i
fputs:ipp fputc:iip putc:iip getc:ip fgetc:ip fgets:ppip ungetc:iip fopen:ppp fdopen:pip fclose:ip fread:ipiip
fwrite:ipiip fseek:ipii ftell:ip rewind:vp fflush:ip feof:ip ferror:ip clearerr:vp fileno:ip setbuf:vpp
setvbuf:ippii getline:ippp getdelim:ippip tmpfile:p remove:ip rename:ipp perror:vp
open:ipi. close:ii read:iipi write:iipi lseek:iiii access:ipi isatty:ii dup:ii dup2:iii unlink:ip mkdir:ipi rmdir:ip
getcwd:ppi getpid:i getuid:i geteuid:i
`

// mathSignatures are those that there are for float and long double, too, by
// names that end in f and l.
const mathSignatures = `
acos:ff asin:ff atan:ff atan2:fff ceil:ff cos:ff cosh:ff exp:ff fabs:ff floor:ff fmod:fff frexp:ffp ldexp:ffi
log:ff log10:ff log2:ff modf:ffp pow:fff round:ff sin:ff sinh:ff sqrt:ff tan:ff tanh:ff trunc:ff fmin:fff fmax:fff
cbrt:ff exp2:ff hypot:fff copysign:fff rint:ff nearbyint:ff remainder:fff fdim:fff fma:ffff
`

// variableKind is a type, behind so many pointers.
type variableKind struct {
	kind  cc.Kind
	stars int
}

// libraryVariables are those of its variables that programs declare by hand.
var libraryVariables = map[string]variableKind{"environ": {cc.Char, 2}, "__environ": {cc.Char, 2},
	"_environ": {cc.Char, 2}, "optarg": {cc.Char, 1}, "optind": {cc.Int, 0}, "opterr": {cc.Int, 0},
	"optopt": {cc.Int, 0}, "timezone": {cc.Long, 0}, "daylight": {cc.Int, 0}, "signgam": {cc.Int, 0}}

var signatures = func() map[string]string {
	out := map[string]string{}
	for _, f := range strings.Fields(librarySignatures + mathSignatures) {
		name, s, _ := strings.Cut(f, ":")
		out[name] = s
	}
	for _, f := range strings.Fields(mathSignatures) {
		name, s, _ := strings.Cut(f, ":")
		out[name+"f"], out[name+"l"] = s, s
	}
	return out
}()

// libraryVariable reports whether a variable that is declared is that of the C library: name and type say so.
func libraryVariable(d *cc.Declarator) bool {
	stars := 0
	t := d.Type()
	for p, ok := t.(*cc.PointerType); ok; p, ok = t.(*cc.PointerType) {
		stars, t = stars+1, p.Elem()
	}
	kind, known := libraryVariables[d.Name()]
	return known && kind == variableKind{t.Kind(), stars}
}

// InLibrary reports whether a function that is declared is that of the C library:
// name and type say so. A project's own function log(level, text) is another.
func InLibrary(name string, f *cc.FunctionType) bool {
	want, ok := signatures[name]
	if !ok {
		return false
	}
	have := []byte{kindLetter(f.Result())}
	for _, p := range f.Parameters() {
		if p.Type().Kind() != cc.Void {
			have = append(have, kindLetter(p.Type()))
		}
	}
	if f.IsVariadic() {
		have = append(have, '.')
	}
	// extern int rand(); says nothing of parameters, and a call without any declaration nothing of the result.
	return string(have) == want || len(f.Parameters()) == 0 && (have[0] == want[0] || have[0] == 'i') && len(have) == 1
}

func kindLetter(t cc.Type) byte {
	switch {
	case t.Kind() == cc.Void:
		return 'v'
	case cc.IsIntegerType(t):
		return 'i'
	case cc.IsFloatingPointType(t):
		return 'f'
	case t.Kind() == cc.Ptr, t.Kind() == cc.Array, t.Kind() == cc.Function:
		return 'p'
	}
	return '?'
}

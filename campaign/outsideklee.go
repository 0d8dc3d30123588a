package campaign

import (
	"bytes"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/drivers"
	"klabel/linkage"
	"klabel/toolchain"
)

// beyondKLEE are names of the C library that neither KLEE's POSIX runtime nor its
// uclibc has, and that KLEE cannot call natively on their behalf: they take streams,
// descriptors or functions, which are not those of the machine, end or interrupt KLEE
// itself, or go on elsewhere.
var beyondKLEE = strings.Fields(`
setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp getcontext setcontext makecontext swapcontext
pthread_create pthread_once pthread_atfork thrd_create call_once quick_exit at_quick_exit
alarm ualarm setitimer timer_create posix_spawn posix_spawnp
fmemopen open_memstream fopencookie
pread pread64 pwrite pwrite64 preadv pwritev readv writev sendfile splice copy_file_range fallocate posix_fallocate
poll ppoll epoll_wait epoll_ctl ftw nftw fts_open qsort_r argp_parse dlopen dlsym
aio_read aio_write wordexp`)

// lackedByKLEE are names of the C library that KLEE's uclibc lacks and
// runtime_c/klee/lacking.c has.
var lackedByKLEE = []string{"reallocarray", "explicit_bzero", "__ctype_get_mb_cur_max", "secure_getenv"}

// sizedPrefixes are C that stands before each unit for KLEE: what gives memory tries sizes. A
// program that has such functions itself keeps them.
func (p *program) sizedPrefixes() []string {
	out := make([]string, len(p.units))
	if slices.ContainsFunc([]string{"malloc", "calloc", "realloc"}, linkage.Defined(p.units).Defines) {
		return out
	}
	for i, u := range p.units {
		out[i] = drivers.SizedPrefix(u)
	}
	return out
}

// asksLacking reports whether a program calls one of what runtime_c/klee/lacking.c has, with these
// prefixes.
func (p *program) asksLacking(sized []string) bool {
	if strings.Join(sized, "") != "" {
		return true
	}
	return len(linkage.Used(p.units, lackedByKLEE)) > 0 || slices.ContainsFunc(p.modules, func(m module) bool {
		return slices.ContainsFunc(lackedByKLEE, func(name string) bool {
			return bytes.Contains(m.text, []byte("@"+name+"("))
		})
	})
}

// outsideKLEE says why KLEE cannot run a program with symbolic arguments and input, "" if
// it can.
func outsideKLEE(t *toolchain.Tools, units []*csource.Unit) string {
	if k := t.KLEE; k == nil || k.RuntimeDir == "" || !k.Posix || !k.Uclibc {
		return "this KLEE has no POSIX runtime or no uclibc"
	}
	if names := linkage.Used(units, beyondKLEE); len(names) > 0 {
		for i, n := range names {
			names[i] = strings.TrimLeft(n, "_") // setjmp is a macro
		}
		slices.Sort(names)
		return "its C library does not have " + strings.Join(slices.Compact(names), ", ")
	}
	return ""
}

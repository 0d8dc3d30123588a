package prune

import (
	"slices"
	"sort"
)

// endsAbnormally lists functions of the C library and of KLEE that do not come
// back, and whose end is no normal end of a run: what precedes them does not
// count either.
var endsAbnormally = map[string]bool{
	"abort": true, "__assert_fail": true, "__assert": true, "klee_abort": true, "klee_report_error": true,
	"__builtin_trap": true, "__builtin_unreachable": true, "__VERIFIER_error": true, "__stack_chk_fail": true,
}

// comesBack lists functions that return whenever the run goes on normally, and
// that call nothing of the program.
var comesBack = map[string]bool{}

func init() {
	for _, n := range []string{
		"klee_make_symbolic", "klee_int", "klee_range", "klee_choose", "klee_prefer_cex", "klee_posix_prefer_cex",
		"klee_is_symbolic",
		"klee_is_replay", "klee_get_obj_size", "klee_get_errno", "klee_check_memory_access", "klee_warning",
		"klee_warning_once",
		"klee_print_expr", "klee_print_range", "klee_stack_trace", "klee_set_forking", "klee_open_merge",
		"klee_close_merge",
		"klee_mark_global", "klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell",
		"klee_get_value_i32",
		"klee_get_value_i64", "klee_assume", "sc_assume", "__VERIFIER_assume", "klabel_assume",
		"printf", "fprintf", "sprintf", "snprintf", "puts", "putchar", "fputs", "fputc", "putc", "fflush", "perror",
		"strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strcpy", "strncpy", "strcat", "strncat", "strchr",
		"strrchr", "strstr",
		"memcpy", "memmove", "memset", "memcmp", "memchr", "malloc", "calloc", "realloc", "free", "abs", "labs",
		"llabs",
		"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
		"isupper", "isxdigit",
		"toupper", "tolower", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "atoi", "atol", "strtol",
		"strtoul",
		"fabs", "fabsf", "sqrt", "sqrtf", "floor", "ceil", "pow", "sin", "cos", "tan", "exp", "log", "fmod",
		"__errno_location",
		"getchar", "rand", "time",
	} {
		comesBack[n] = true
	}
}

// comesBackName adds the builtins and the nondeterministic functions of
// verification competitions.
func comesBackName(name string) bool {
	return comesBack[name] || endsAbnormally[name] || hasPrefix(name, "__builtin_") && name != "__builtin_longjmp" ||
		hasPrefix(name, "__VERIFIER_nondet_")
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

// findExits computes which functions might leave a block for good although the
// run then ends normally: exit, longjmp, klee_silent_exit, whatever is not
// known, and those that call such a one.
func (p *program) findExits() {
	for changed := true; changed; {
		changed = false
		for _, f := range p.order {
			if f.mayExit {
				continue
			}
			if f.indirect || f.asm || f.cleanup || slices.ContainsFunc(sortedKeys(f.calls), p.nameMayExit) {
				f.mayExit, changed = true, true
			}
		}
	}
}

func (p *program) nameMayExit(name string) bool {
	if f := p.funcs[name]; f != nil {
		return f.mayExit
	}
	return !comesBackName(name) && !p.macros[name]
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// reaches reports whether a call of f can lead to a call of the function name.
func (p *program) reaches(f *function, name string) bool {
	seen := map[*function]bool{}
	var visit func(*function) bool
	visit = func(g *function) bool {
		if seen[g] {
			return false
		}
		seen[g] = true
		if g.indirect {
			for _, h := range p.order {
				if h.taken && (h.Name == name || visit(h)) {
					return true
				}
			}
		}
		for c := range g.calls {
			if c == name {
				return true
			}
			if h := p.funcs[c]; h != nil && visit(h) {
				return true
			}
		}
		return false
	}
	return visit(f)
}

// recursive reports whether a function can be active twice.
func (p *program) recursive(f *function) bool { return f.taken && p.indirect || p.reaches(f, f.Name) }

// unknownCallees returns functions that f's code can call of which neither a
// body nor a model is known.
func (p *program) unknownCallees(f *function, known func(string) bool) []string {
	seen := map[*function]bool{}
	out := map[string]bool{}
	var visit func(*function)
	visit = func(g *function) {
		if seen[g] {
			return
		}
		seen[g] = true
		for c := range g.calls {
			if h := p.funcs[c]; h != nil {
				visit(h)
			} else if !known(c) && !p.macros[c] {
				out[c] = true
			}
		}
		if g.indirect {
			for _, h := range p.order {
				if h.taken {
					visit(h)
				}
			}
		}
	}
	visit(f)
	return sortedKeys(out)
}

package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// narrow notes something that an entry leaves out, in words that read after
// "not within: ". An entry about which nothing is noted gives its function
// everything that any caller, in any state, can.
func (b *builder) narrow(format string, a ...any) {
	if text := fmt.Sprintf(format, a...); !slices.Contains(b.narrowed, text) {
		b.narrowed = append(b.narrowed, text)
	}
}

// harmless are functions that engines run as they are, and whose results
// depend on their arguments alone.
var harmless = set(`free abort exit _Exit abs labs llabs memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp
	strcpy strncpy strcat strncat strchr strrchr strstr strspn strcspn strpbrk stpcpy
	__assert_fail __assert_rtn __builtin_expect __builtin_unreachable __builtin_trap __builtin_constant_p
	__builtin_abs __builtin_labs __builtin_llabs __builtin_memcpy __builtin_memmove __builtin_memset __builtin_memcmp
	__builtin_strlen __builtin_strcmp __builtin_bswap16 __builtin_bswap32 __builtin_bswap64
	__builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll
	__builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_parity __builtin_parityl __builtin_ffs __builtin_ffsl
	__builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow __builtin_inf __builtin_inff __builtin_nan __builtin_nanf
	__builtin_huge_val __builtin_huge_valf __builtin_types_compatible_p __builtin_choose_expr __builtin_offsetof
	klee_make_symbolic klee_int klee_silent_exit reach_error`)

// exactMath are the functions of math.h whose results IEEE 754 fixes, by the
// names for double.
var exactMath = set(`fabs sqrt floor ceil trunc round rint nearbyint copysign fmod fmin fmax fdim fma lround llround lrint llrint
	isnan isinf finite isfinite isnormal signbit fpclassify isless islessequal isgreater isgreaterequal islessgreater isunordered isinf_sign`)

// settled are functions whose results depend on their arguments, on what the program has called before, and on the
// locale, which is "C" until somebody sets another one. Those that say yes by a number of their own, as isalpha, are
// none: the macros of ctype.h look into the tables.
var settled = set(`tolower toupper toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
	atoi atol atoll strtol strtoul strtoll strtoull strtok strtok_r strsep`)

// settles reports whether an entry is a whole program that leaves the locale as it is: a function's caller may set
// one.
func (b *builder) settles() bool {
	return b.fn != nil && b.fn.Name == "main" && len(b.unit.Identifiers("setlocale", "uselocale")) == 0
}

// isHarmless reports whether calling a function narrows nothing.
func isHarmless(name string) bool {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "__builtin_"), "__")
	return harmless[name] || exactMath[base] || exactMath[strings.TrimSuffix(base, "f")] ||
		exactMath[strings.TrimSuffix(base, "l")]
}

// assuming are the functions by which a source says what holds.
var assuming = set("klee_assume klee_range sc_assume __VERIFIER_assume klee_prefer_cex")

// allocating are the functions that give memory, which no engine lets fail.
var allocating = set("malloc calloc realloc reallocarray strdup strndup aligned_alloc posix_memalign alloca " +
	"__builtin_alloca")

func set(names string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(names) {
		out[n] = true
	}
	return out
}

// surroundings notes what the code under test may depend on beside the inputs:
// variables, functions from elsewhere, addresses.
func (b *builder) surroundings(r reach, inputs []*input.Input) {
	given := map[string]bool{}
	for _, in := range inputs {
		given[in.Name] = true
	}
	var stubs, globals, volatiles, files, library, statics []string
	for _, d := range r.outside {
		name := d.Name()
		if _, isFunc := d.Type().(*cc.FunctionType); !isFunc {
			switch {
			case d.IsVolatile() || d.IsAtomic() || d.IsThreadLocal() || changesByItself(b.unit, d.Type()) ||
				volatilePointer(b.unit, d):
				volatiles = append(volatiles, name)
			case !given[name] && !b.fixed(d):
				globals = append(globals, name)
			}
			continue
		}
		switch {
		case outputs[name] && !b.asksOf(r, name) && !b.common.Defined[name] && !b.isStubbed(name):
		case b.labels[name] || strings.HasPrefix(name, "pc_label") || name == "cov_label" || isHarmless(name) ||
			strings.HasPrefix(name, "__VERIFIER_nondet_"):
		case settled[name] && b.settles():
		case assuming[name]:
			b.assumed = append(b.assumed, name+" in the source")
		case allocating[name]:
			b.memory = append(b.memory, name)
		case b.common.Defined[name]:
			files = append(files, name)
		case b.isStubbed(name):
			stubs = append(stubs, name)
		default:
			library = append(library, name)
		}
	}
	for _, st := range b.stubbed {
		if st.replaces {
			b.assumed = append(b.assumed, "--stub "+st.name)
		}
	}
	for _, f := range r.funcs {
		facts := b.an.of(f.Name)
		statics = append(statics, facts.statics...)
		volatiles = append(volatiles, facts.moving...)
		if facts.restless {
			volatiles = append(volatiles, throughPointers(f.Name))
		}
		if b.an.weak[f.Name] && (b.fn == nil || f.Name != b.fn.Name) {
			b.narrow("%s as it is here, which is weak", f.Name)
		}
		if facts.addresses {
			b.narrow("addresses as they are in %s", f.Name)
		}
		if facts.assembly {
			b.narrow("assembly in %s", f.Name)
		}
	}
	own := slices.DeleteFunc(slices.Clone(globals), func(n string) bool { return !remembers(n) || notesSetting(n) })
	b.remembers = slices.DeleteFunc(slices.Clone(globals), func(n string) bool { return !notesSetting(n) })
	b.narrowList("globals as they start: ", slices.DeleteFunc(globals, remembers))
	b.narrowList("what calls before this one did, as labels remember it: ", own)
	b.narrowList("static variables as they start: ", statics)
	b.narrowList("volatile variables that stay: ", volatiles)
	b.narrowList("a stub for ", stubs)
	b.narrowList("another file's ", files)
	b.narrowList("klabel's ", library)
}

// narrowList notes a list of names, the first of them.
func (b *builder) narrowList(what string, names []string) {
	const shown = 4
	switch {
	case len(names) == 0:
	case len(names) > shown:
		b.narrow("%s%s and %d more", what, strings.Join(names[:shown], ", "), len(names)-shown)
	default:
		b.narrow("%s%s", what, strings.Join(names, ", "))
	}
}

func (b *builder) isStubbed(name string) bool {
	return slices.ContainsFunc(b.stubbed, func(s stubbed) bool { return s.name == name })
}

// fixed reports whether a variable always has a value that the unit tells.
// What its first value points to is a mention of its own.
func (b *builder) fixed(d *cc.Declarator) bool {
	if b.an.changes(d) || b.undefined(d) {
		return false
	}
	return d.Linkage() == cc.Internal || b.an.initial[d.Name()] != nil || !pointsAnywhere(d.Type())
}

// pointsAnywhere reports whether a type holds pointers.
func pointsAnywhere(t cc.Type) bool {
	return anywhere(t, func(t cc.Type) bool { return t.Kind() == cc.Ptr })
}

// arrayWithin reports whether a value of the type is an array, or has one.
func arrayWithin(t cc.Type) bool {
	return anywhere(t, func(t cc.Type) bool { return t.Kind() == cc.Array })
}

// anywhere reports whether a type, or the type of what a value of it has, is such a one.
func anywhere(t cc.Type, is func(cc.Type) bool) bool {
	if is(t) {
		return true
	}
	var field func(i int) *cc.Field
	n := 0
	switch x := t.(type) {
	case *cc.ArrayType:
		return anywhere(x.Elem(), is)
	case *cc.StructType:
		field, n = x.FieldByIndex, x.NumFields()
	case *cc.UnionType:
		field, n = x.FieldByIndex, x.NumFields()
	}
	for i := 0; i < n; i++ {
		if f := field(i); f != nil && anywhere(f.Type(), is) {
			return true
		}
	}
	return false
}

// wishes are the user's own assumptions, as on the command line.
func (o *Options) wishes() (out []string) {
	for _, x := range o.Ranges {
		out = append(out, fmt.Sprintf("--range %s:%s..%s", x.Name, x.Low, x.High))
	}
	for _, x := range o.Assumes {
		out = append(out, fmt.Sprintf("--assume '%s'", x))
	}
	for _, x := range o.NonNull {
		out = append(out, "--nonnull "+x)
	}
	for _, x := range o.Strings {
		out = append(out, "--string "+x)
	}
	for _, x := range o.Arrays {
		out = append(out, "--array "+x.Name+":"+x.Text)
	}
	return out
}

// parameters notes what is left out of a function's own parameters.
func (b *builder) parameters(fn *csource.Function) {
	if b.pointers > 1 && !b.readsItems(fn) {
		b.narrow("pointers that share nothing")
	}
	if fn.Type != nil && fn.Type.IsVariadic() && len(b.more) == 0 {
		b.narrow("no further arguments of %s", fn.Name)
	}
	if fn.Name == "main" && b.unit.UsesArguments() {
		b.narrow("at most %d arguments of main", len(b.o.SymArgs))
	}
}

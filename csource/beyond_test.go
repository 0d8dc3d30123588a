package csource

import "testing"

// What C does not show of a unit is named; what compilers know is not.
func TestBeyond(t *testing.T) {
	for text, want := range map[string]string{
		"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" +
			`int f(void) { return puts("section(\".init\")"); }`: "",

		`__attribute__((constructor)) void f(void) { }`:                                           "",
		`static void (*p)(void) __attribute__((section(".init_array"), used));`:                   "the section .init_array",
		`int g; __attribute__((__section__ (".preinit" "_array.7"))) void (*p)(void);`:            "the section .preinit_array.7",
		`__attribute__((section(".initial.data"), used)) int g;`:                                  "",
		`void f(void) { } __attribute__((section(".text.startup"))) void g(void) { f(); }`:        "",
		`int g; __asm__(".set h, g"); extern int h;`:                                              "assembly outside of functions",
		`int g; extern int h __asm__("g");`:                                                       "the name in assembly of h",
		`int f(void) { extern int h __asm__("g"); return h; }`:                                    "the name in assembly of h",
		`int f(void) { register int r __asm__("eax"); __asm__("nop" : "=r" (r)); return r; }`:     "",
		`int g; extern int h __attribute__((alias("g")));`:                                        "the attribute alias",
		`static void *r(void) { return 0; } int f(void) __attribute__((__ifunc__("r")));`:         "the attribute ifunc",
		`static int f(int x) { int alias = x, section = 1; return alias + (section) + (alias); }`: "",
	} {
		u, err := load(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := u.Beyond() + u.OtherNames(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

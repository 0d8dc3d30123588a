package prune_test

import (
	"testing"

	"klabel/campaign"
	"klabel/prune"
)

// Every label here is met by a run that ends normally: by what runs before main, through
// another name of a variable, or because numbers are rounded up.
func TestBeyondC(t *testing.T) {
	x := tools(t)
	for name, text := range map[string]string{
		"constructor": `static int g; __attribute__((constructor)) static void c(void) { g = 5; }
			int main(void) { cov_label(g == 5, 1, "x"); return 0; }`,
		"section": `static int g; static void c(void) { g = 5; }
			__attribute__((section(".init_array"), used)) static void (*p)(void) = c;
			int main(void) { cov_label(g == 5, 1, "x"); return 0; }`,
		"assembly": `int g; void c(void) { g = 5; }
			__asm__(".section .init_array,\"aw\"\n.quad c\n.text\n");
			int main(void) { cov_label(g == 5, 1, "x"); return 0; }`,
		"ifunc": `static int g; static int one(void) { return 1; }
			static void *r(void) { g = 5; return (void *)one; } int f(void) __attribute__((ifunc("r")));
			int main(void) { cov_label(g == 5, 1, "x"); return f() == 1; }`,
		"alias": `int g; extern int h __attribute__((alias("g"))); int main(void) { h = 5; cov_label(g == 5, 1, "x"); }`,
		"rounding": `int fesetround(int); float f = 1.0f, g = 0x1p-30f; int main(void) { if (fesetround(0x800)) return 1;
			float h = f + g; cov_label(h > 1.0f, 1, "x"); return 0; }`,
		"rounding, by a pointer": `int fesetround(int); int main(void) { int (*set)(int) = fesetround;
			if (set(0x800)) return 1; float f = 1.0f, g = 0x1p-30f; cov_label(f + g > 1.0f, 1, "x"); return 0; }`,
		"symbols": `int g; extern int h __asm__("g"); int main(void) { h = 5; cov_label(g == 5, 1, "x"); return 0; }`,
	} {
		t.Run(name, func(t *testing.T) {
			said, notes := proofs(t, x, text, prune.Options{Explore: campaign.Explorer(x.Clang), FramaC: x.FramaC})
			if len(said) > 0 {
				t.Errorf("%s %q", said, notes)
			}
		})
	}
}

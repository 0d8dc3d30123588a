package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// TestGrids: what is indexed by row * columns + column has as many items as the
// product says, and no more where a test is replayed.
func TestGrids(t *testing.T) {
	const blur = `static int at(const unsigned char *in, int width, int x, int y) { return in[y * width + x]; }
void blur(unsigned char *out, const unsigned char *in, int width, int height)
{
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++)
            out[y * width + x] = at(in, width, x, y) / 2;
}
`
	for _, c := range []struct {
		name, text, function string
		variant              drivers.Variant
		want                 []string
		not                  string
	}{
		{"an image", blur, "blur", drivers.Arguments, []string{"(*out_items)[64]",
			"(height >= -8) & (height <= 8)",
			"(width >= -8) & (width <= 8)", "klabel_exact(out, (unsigned long)height * width * sizeof *out)"},
			"width <= 4"},
		{"a wider one", blur, "blur", drivers.Widest, []string{"(*out_items)[256]", "width <= 16"}, ""},
		{"one whose loop needs more", `int inner(int *p, unsigned w, unsigned h)
{
    int n = 0;
    for (unsigned y = 5; y < h - 5; y++)
        for (unsigned x = 5; x < w - 5; x++)
            n += *(p + y * w + x) > 9;
    return n;
}
`, "inner", drivers.Arguments, []string{"(*p_items)[144]", "klee_assume(w <= 12)"}, ""},
		{"a square matrix", `int trace(const int *m, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i * n + i];
    return t;
}
`, "trace", drivers.Arguments, []string{"(*m_items)[64]", "(n <= 8)"}, ""},
		{"what only hands it on", `static int sum(const int *m, int rows, int columns)
{
    int n = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            n += m[i * columns + k];
    return n;
}
int positive(int h, int w, const int *table) { return sum(table, h, w) > 0; }
`, "positive", drivers.Arguments, []string{"(*table_items)[64]", "h * w * sizeof *table"}, ""},
		{"items of any size", `void *find(const void *key, const void *base, unsigned long count, unsigned long size,
	int (*compare)(const void *, const void *))
{
    const char *at = base;
    for (unsigned long n = count; n; n >>= 1)
        if (compare(key, at + (n >> 1) * size) == 0)
            return (void *)(at + (n >> 1) * size);
    return 0;
}
`, "find", drivers.Arguments, []string{"(*base_bytes)[72]", "klee_assume(count <= 8)", "klee_assume(size <= 8)",
			"klabel_exact(key, (unsigned long)size)", "klabel_exact(base, ((unsigned long)count + 1) * size)"}, ""},
		{"a structure's", `struct image { unsigned char *pixels; int width, height; };
int bright(const struct image *m)
{
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++)
            if (m->pixels[y * m->width + x] > 200)
                return 1;
    return 0;
}
`, "bright", drivers.Arguments, []string{"(*m_pixels_items)[16]", "width <= 4"}, ""},
		{"constants are no columns", `int pair(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[2 * i + 1];
    return s;
}
`, "pair", drivers.Arguments, []string{"klee_assume(n <= 4)"}, "(*p_items)[64]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := entryOf(t, c.text, c.function, c.variant)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %s", want)
				}
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("want no %s", c.not)
			}
			if t.Failed() {
				t.Log(got)
			}
		})
	}
}

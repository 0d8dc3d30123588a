package drivers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
)

// driverOf is the unit of a text with the plain entry of its function f.
func (b *bench) driverOf(t *testing.T, code string) *drivers.Unit {
	t.Helper()
	file := filepath.Join(t.TempDir(), "e.c")
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	u := b.unit(t, file)
	d, err := drivers.ForUnit(u, drivers.Options{MaxArray: 4, MaxString: 8, MaxDepth: 2,
		Embeddings: drivers.Embeddings([]*csource.Unit{u})}, []drivers.Want{{Function: "f", Number: 1}})
	if err != nil || len(d.Entries) != 1 {
		t.Fatalf("%v: %d entries, %+v", err, len(d.Entries), d.LeftOut)
	}
	return d
}

// TestEnds: a pointer that tells where what another one leads to ends leads into it.
// Pointers that are compared and lead to things of their own do not.
func TestEnds(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ name, code, want string }{
		{"a distance", "int f(const char *p, const char *e) { const char *s = p; return e - s > 3 && s[3]; }",
			`e += klabel_choose("e:at", 10)`},
		{"a distance to what is read", "int f(char *base, char *head) { return head - base > 2 && *head; }",
			`head += klabel_choose("head:at", 10)`},
		{"a loop", "int f(const int *p, const int *e) { int n = 0; while (p < e) n += *p++; return n; }",
			`e += klabel_choose("e:at", 5)`},
		{"more than a byte counts", "int f(const unsigned char *p, const unsigned char *e) { return e - p > 99 && p[255]; }",
			`e += 2 * klabel_choose("e:at", 129)`},
		{"fields", "struct v { char *to, *end; };\nint f(struct v *v) { return v->to + 2 <= v->end ? v->to[1] : 0; }",
			`v_item.end += klabel_choose("v->end:at", 10)`},
		{"the end before the beginning", "struct v { const char *end; int n; char *to; };\n" +
			"int f(struct v *v) { int n = (int)(v->end - v->to); return n > 2 && v->to[1]; }",
			`v_item.end += klabel_choose("v->end:at", 10)`},
		{"a call", "static int g(int k, const char *a, const char *b) { return a + k < b; }\n" +
			"int f(const char *p, const char *e) { return g(1, p, e); }", `e += klabel_choose("e:at", 10)`},
		{"a pointer that is moved for the caller", "static int g(const char **a, const char *b) { return *a < b; }\n" +
			"int f(const char **p, const char *e) { return g(p, e); }", `e += klabel_choose("e:at", 10)`},
		{"a name, where another file does the work", "int work(const char *, const char *);\n" +
			"int f(int k, const char *s, const char *end) { return k > 3 && work(s, end); }",
			`end += klabel_choose("end:at", 10)`},
		{"a name that the code belies", "int f(const char *s, const char *end) { return *end == *s; }", ""},
		{"a name after another type", "int work(const void *, const char *);\n" +
			"int f(const int *s, const char *end) { return work(s, end); }", ""},
		{"another type", "int f(const char *p, const int *e) { return p < (const char *)e; }", ""},
		{"two arrays", "void f(char *to, const char *from, int n) {\n" +
			"    if (to < from) while (n-- > 0) *to++ = *from++; }", ""},
		{"a test for the same", "int f(const char *p, const char *q) { return p == q; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := b.driverOf(t, c.code)
			if c.want != "" && copiedEnd.MatchString(d.Text()) {
				t.Errorf("the end is copied apart from what it ends:\n%s", d.Text())
			}
			if c.want == "" && strings.Contains(d.Text(), ":at") || !strings.Contains(d.Text(), c.want) {
				t.Errorf("want %q in\n%s", c.want, d.Text())
			}
		})
	}
}

var copiedEnd = regexp.MustCompile(`\b(e|end) = klabel_exact\(`)

// TestConstantResults: a function that a field points to returns what the field's declaration says.
func TestConstantResults(t *testing.T) {
	b := newBench(t)
	d := b.driverOf(t, "struct v { char *(*plain)(int); const char *(*constant)(int); "+
		"char *(*after)(const char *); };\n"+
		"int f(struct v *v) { return v->plain(1) || v->constant(2) || v->after(\"\"); }")
	for _, want := range []string{" static char *v_plain_stub(int", " static const char *v_constant_stub(int",
		" static char *v_after_stub(const char"} {
		if !strings.Contains(d.Text(), want) {
			t.Errorf("no %q in\n%s", want, d.Text())
		}
	}
}

// TestDrained: a number that falls while a pointer moves on tells how many items there are. What is only asked, and by
// how much something is shifted, tells nothing.
func TestDrained(t *testing.T) {
	b := newBench(t)
	const in = "struct in { const unsigned char *next; unsigned avail; unsigned char *out; unsigned left; };\n"
	const head = "struct head { char *name, *buf; unsigned text, at; };\n"
	for _, c := range []struct{ name, code, want, not string }{
		{"fields", in + "int f(struct in *s) { int c = 0; if (s->avail > 2) { c = *s->next++; s->avail--; } return c; }",
			"s_item.avail <= 4", "left <="},
		{"variables", in + "int f(struct in *s) { const unsigned char *p = s->next; unsigned have = s->avail, h = 0;\n" +
			"    while (h < 9) { do { if (have == 0) goto out; have--; h += (unsigned)*p++ << 8; } while (0); }\n" +
			"out: return h; }", "s_item.avail <= 4", "left <="},
		{"many at once", in + "void f(struct in *s, unsigned n) { if (n > 3) { s->out += n; s->left -= n; s->avail -= 1; } }",
			"s_item.left <= 4", "avail <="},
		{"put behind", "struct out { unsigned char *buf; unsigned n, size; };\n" +
			"void f(struct out *o) { if (o->n < o->size) o->buf[o->n++] = 1; }", "o_item.n <= 4", "o_item.n <= 16"},
		{"put behind, of so many", "struct out { unsigned char *buf; unsigned n, size; };\n" +
			"void f(struct out *o) { if (o->n == o->size) return; o->buf[o->n++] = 1; }",
			"unsigned char (*o_buf_items)[16];", "(*o_buf_items)[4]"},
		{"a condition", head + "int f(struct head *h) {\n" +
			"    h->buf[h->at] = (h->text ? 1 : 0) + (h->name == 0 ? 0 : 4); return h->name ? h->name[1] : 0; }",
			"h_item.at <= 8", "text <="},
		{"a shift", head + "int f(struct head *h) { return h->buf[h->at & ((1 << h->text) - 1)]; }",
			"h_item.at <= 8", "text <="},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := b.driverOf(t, c.code)
			if strings.Contains(d.Text(), c.not) || !strings.Contains(d.Text(), c.want) {
				t.Errorf("want %q and no %q in\n%s", c.want, c.not, d.Text())
			}
		})
	}
}

// TestStubsFillBlocks: a stub fills as many bytes as the largest block of a known size that it may be asked for.
func TestStubsFillBlocks(t *testing.T) {
	b := newBench(t)
	for code, want := range map[string]string{
		"struct head { char name[40], sum[8]; };\n" +
			"static int get(struct in *in, void *to, unsigned n) { return in->read(in, to, n); }\n" +
			"int f(struct in *in) { struct head h; return get(in, &h, sizeof h) ? -1 : h.sum[0]; }": "[48];",
		"int f(struct in *in, unsigned n) { char t[9000]; return in->read(in, t, n) + in->read(in, t, 9000); }": "" +
			"[16];",
	} {
		file := filepath.Join(t.TempDir(), "b.c")
		code = "struct in { int (*read)(struct in *, void *, unsigned); };\n" + code
		if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := drivers.ForUnit(b.unit(t, file), drivers.Options{}, []drivers.Want{{Function: "f", Number: 1}})
		if err != nil || !strings.Contains(d.Text(), "klabel_value"+want) {
			t.Errorf("%v: no %s in\n%s", err, want, d.Text())
		}
	}
}

// TestStubsFillBySizesBefore: the size of a buffer may come before it, and what is named a source is read.
func TestStubsFillBySizesBefore(t *testing.T) {
	const head = "struct fs {\n" +
		"    int (*rd)(struct fs *, unsigned at, unsigned size, unsigned char *dst);\n" +
		"    int (*wr)(struct fs *, unsigned at, unsigned size, unsigned char *src);\n" +
		"    int (*at)(struct fs *, unsigned at, unsigned char *dst);\n};\n"
	for call, want := range map[string]bool{"rd(s, 0, 4, b)": true, "wr(s, 0, 4, b)": false, "at(s, 0, b)": false} {
		c := entryOf(t, head+"int f(struct fs *s) { unsigned char b[4] = {0}; return s->"+call+" + (b[1] > 7); }", "f",
			drivers.Arguments)
		const fills = "unsigned long klabel_room = (unsigned long)klabel_size;"
		if strings.Contains(c, fills) != want {
			t.Errorf("%s: filled is to be %t:\n%s", call, want, c)
		}
	}
}

// With room there is more than what an end tells of, but of memory that is handed out all.
func TestEndsWithRoom(t *testing.T) {
	const take = "#include <string.h>\ntypedef struct { BYTE *beg, *end; } arena;\n" +
		"static void *take(arena *a, long n) {\n" +
		"    BYTE *r = a->beg;\n    if (n < 0 || n > a->end - a->beg) return 0;\n    a->beg += n;\n"
	const use = "int f(arena *a, long n) { int *p = take(a, n * (long)sizeof *p); return p && n > 9 && p[9]; }\n"
	const out, read = "    return memset(r, 0, n);\n}\n" + use, "    return *r ? 0 : r;\n}\n" + use
	for _, test := range []struct {
		name, text string
		variant    drivers.Variant
		want       string
	}{
		{"handed out", "#define BYTE char\n" + take + out, drivers.Room, `a_item.end += 1024;`},
		{"handed out, wider", "#define BYTE char\n" + take + out, drivers.Wider, `a_item.end += 1024;`},
		{"read", "#define BYTE unsigned char\n" + take + read, drivers.Room,
			`a_item.end += 8 * klabel_choose("a->end:at", 129);`},
		{"read, wider", "#define BYTE unsigned char\n" + take + read, drivers.Wider,
			`a_item.end += klabel_choose("a->end:at", `},
	} {
		if c := entryOf(t, test.text, "f", test.variant); !strings.Contains(c, test.want) {
			t.Errorf("%s: no %s in\n%s", test.name, test.want, c)
		}
	}
}

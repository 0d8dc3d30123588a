package drivers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"klabel/drivers"
)

// What a driver gives itself.
const (
	plainText = `char \(\*s_text\)\[9\]`
	plainItem = `end_items?\b`
)

const behindHeaders = `#include <stdlib.h>
#include <string.h>
typedef char *str;
struct head { unsigned char len, cap; char text[]; };
typedef struct { size_t len; } vechead;
static size_t str_len(const str s) { return ((struct head *)(s - sizeof(struct head)))->len; }
static void str_setlen(str s, int n) { ((struct head *)(s - sizeof(struct head)))->len = n; }
str str_new(const char *init)
{
    size_t n = init == NULL ? 0 : strlen(init);
    struct head *h = malloc(sizeof *h + n + 1);
    h->len = h->cap = n;
    return init ? strcpy(h->text, init) : h->text;
}
str str_empty(void) { return str_new(""); }
str str_cat(str s, const char *t)
{
    str r = str_new(0);
    return t[0] && str_len(s) ? r : s;
}
str str_join(str *list, int n)
{
    str r = str_empty();
    for (int i = 0; i < n; i++)
        r = str_cat(r, list[i]);
    return r;
}
int str_cmp(const str a, const str b) { return str_len(a) == str_len(b) ? memcmp(a, b, str_len(a)) : 1; }
int first(str s) { return s[0] == 'x'; }
int last(str s) { while (*s) s++; return s[-1] == 'x'; }
void *vec_grow(void *v, size_t n)
{
    vechead *h = realloc(v ? (vechead *)v - 1 : NULL, sizeof *h + n);
    h->len = n;
    return h + 1;
}
int vec_last(const int *v) { return v[((const vechead *)v)[-1].len - 1] > 7; }
int named(str (*name)(int n)) { return str_len(name(3)) > 2; }
int before(const int *end) { return end[-1] > 7; }
struct row { unsigned n; short cells[]; };
#define row_of(p) ((struct row *)((char *)(p) - __builtin_offsetof(struct row, cells)))
short *row_new(unsigned n) { struct row *r = malloc(sizeof *r + n * sizeof(short)); r->n = n; return r->cells; }
int row_full(const short *r) { struct row *h = row_of(r); return h->n > 5 && r[2]; }
struct old { unsigned n; char text[1]; };
char *old_new(const char *s)
{
    struct old *o = malloc(sizeof *o + strlen(s));
    o->n = strlen(s);
    return strcpy(o->text, s);
}
void old_drop(char **s) { free(*s - __builtin_offsetof(struct old, text)); *s = 0; }
int old_set(char **s, const char *t) { int set = s && t; if (set) { old_drop(s); *s = old_new(t); } return set; }
int old_full(const char *s) { return ((struct old *)(s - __builtin_offsetof(struct old, text)))->n > 3; }
`

// What looks before a pointer is given what functions make, in entries of every variant, and
// says so.
func TestMadeBehindHeaders(t *testing.T) {
	b := newBench(t)
	u := b.unit(t, written(t, behindHeaders))
	for _, c := range []struct {
		function string
		variant  drivers.Variant
		want     string // in the entry
		never    string
	}{
		{"str_cmp", drivers.Arguments, `a = \(void \*\)str_new\(\w+\);(?s:.*)b = \(void \*\)str_new\(`, `str_cat\(`},
		{"str_cmp", drivers.Calls, `a = \(void \*\)str_cat\(\(void \*\)a, \w+\)`, ``},
		{"str_cmp", drivers.Widest, `char \(\*a_made_str_new_init_text\)\[257\](?s:.*)str_cat\(`, ``},
		{"str_join", drivers.Arguments, `\(\*list_items\)\[1\] = \(void \*\)str_new\(`, ``},
		{"first", drivers.Arguments, plainText, `str_new\(`},
		{"last", drivers.Arguments, plainText, `str_new\(`},
		{"vec_last", drivers.Arguments, `v = \(void \*\)vec_grow\(\(void \*\)0, `, `v_items`},
		{"named", drivers.Arguments, `return klabel_byte\("name\(\)"\) & 1 \? str_new\("text"\) : 0;`, ``},
		{"before", drivers.Arguments, plainItem, `vec_grow\(`},
		{"row_full", drivers.Arguments, `r = \(void \*\)row_new\(`, `r_items`},
		{"old_drop", drivers.Arguments, `\(\*s_items\)\[0\] = \(void \*\)old_new\(`, `\(\*s_items\)\[1\] = `},
		{"old_set", drivers.Arguments, `char \(\*s_text\)\[9\]`, `old_new\(`},
		{"old_set", drivers.Calls, `\(\*s_items\)\[0\] = \(void \*\)old_new\(`, `\bs_text\b`},
		{"old_full", drivers.Arguments, `s = \(void \*\)old_new\(`, plainText},
	} {
		d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{
			{Function: c.function, Variant: c.variant, Number: 1}})
		if err != nil || len(d.LeftOut) > 0 {
			t.Errorf("%s%s: %v, left out: %+v", c.function, c.variant, err, d.LeftOut)
			continue
		}
		entry := d.Text()
		has := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(entry) }
		if !has(c.want) || c.never != "" && has(c.never) {
			t.Errorf("%s%s, want %s, not %s:\n%s", c.function, c.variant, c.want, c.never, entry)
		}
		made := strings.Contains(strings.Join(d.Entries[0].Narrowed, ", "), "made by ")
		if want := regexp.MustCompile("_(new|cat|grow)").MatchString(c.want); made != want {
			t.Errorf("%s%s says that its objects are made: %v, narrowed: %q", c.function, c.variant, made,
				d.Entries[0].Narrowed)
		}
	}
}

// A call before the one under test is not given NULL for what it follows, and never asks about.
func TestFollowedArguments(t *testing.T) {
	b := newBench(t)
	u := b.unit(t, written(t, behindHeaders))
	d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{
		{Function: "str_cmp", Variant: drivers.Calls, Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	text := d.Text()
	if strings.Contains(text, `klabel_choose("call 1:str_cat.t", 2)`) {
		t.Errorf("str_cat may be given NULL:\n%s", text)
	}
	if !strings.Contains(text, `klabel_choose("a:made:str_new.init", 2)`) {
		t.Errorf("str_new may not be given NULL:\n%s", text)
	}
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// What is handed on through a pointer to a function is what the program's own functions behind it take it for.
func TestViewOfCallback(t *testing.T) {
	c := entryOf(t, `struct text { const char *at; unsigned long left; };
typedef int (*reader)(char *to, int n, void *from);
static int read_text(char *to, int n, void *from)
{
    struct text *s = from;
    if (s->left == 0 || n < 2)
        return 0;
    s->left--;
    *to = *s->at++;
    return 1;
}
int parse(reader read, void *from)
{
    char line[8];
    int n = 0;
    while ((*read)(line, 8, from))
        n++;
    return n > 2;
}
int parse_text(const char *text)
{
    struct text s = {text, 3};
    return parse(read_text, &s);
}
`, "parse", drivers.Arguments)
	if !strings.Contains(c, "struct text *from") && !strings.Contains(c, "struct text from_item") ||
		!strings.Contains(c, `"from->at[]"`) {
		t.Errorf("no text is behind from:\n%s", c)
	}
}

// A text in the widest entry is longer than the largest buffer of what the function reaches, unless that
// is very large.
func TestLongerThanBuffers(t *testing.T) {
	b := newBench(t)
	u := b.unit(t, written(t, `#include <string.h>
int small(const char *s) { char to[80]; return strlen(s) < sizeof to && strcpy(to, s)[0]; }
static int under(const char *s) { char to[1024]; return strlen(s) * 2 > sizeof to || strcpy(to, s)[0]; }
int large(const char *s) { return under(s); }
int huge(const char *s) { char to[65536]; return strlen(s) > sizeof to || strcpy(to, s)[0]; }
`))
	for function, want := range map[string]string{
		"small": "(*s_text)[257]", "large": "(*s_text)[1041]", "huge": "(*s_text)[257]"} {
		d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{
			{Function: function, Variant: drivers.Widest, Number: 1}})
		if err != nil || len(d.LeftOut) > 0 || !strings.Contains(d.Text(), want) {
			t.Errorf("%s: %v, %+v, want %s:\n%s", function, err, d.LeftOut, want, d.Text())
		}
	}
}

package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// TestGiven looks for what entries give functions of the kinds that small libraries have.
func TestGiven(t *testing.T) {
	for _, c := range []struct {
		name, text, function string
		variant              drivers.Variant
		want, not            string
	}{
		{"a size that a maker is told wraps no product", `#include <stdlib.h>
struct map { size_t each, room; char *items; };
struct map *map_new(size_t each, size_t room)
{
    struct map *m = malloc(sizeof *m);
    m->each = each;
    m->room = room;
    m->items = malloc(each * room);
    return m;
}
int map_first(struct map *m) { return m->room > 0 && m->items[0]; }
`, "map_first", drivers.Calls, "klee_assume(m_made_map_new_each <= 1048576);", ""},
		{"what inner pointers lead to has fewer items rather than none", `
struct option { const char *name, *help, *more, *last; int kind; int *to; };
struct parser { struct option *options; char **usages, **extra; char *text, *rest; int n; };
int parse(struct parser *p)
{
    for (int i = 0; p->options[i].kind; i++)
        if (p->options[i].name[0] == *p->text && p->options[i].help && p->options[i].more && p->options[i].last && *p->options[i].to)
            return p->usages[i][0] == *p->rest && p->extra[i];
    return 0;
}
`, "parse", drivers.Arguments, "p->options[1].name[]", "p->options[2]"},
		{"what it is handed on to takes it for one item", `
static int line(const char *text, int *version) { *version = text[0] - '0'; return *version > 1; }
static int head(const char *text, int *version) { return line((text), (version)) ? 1 : head(text + 1, version); }
int request(const char *text, int *version, unsigned last_len)
{
    *version = -1;
    return last_len != 0 || head(text, version);
}
`, "request", drivers.Arguments, "version = &version_item;", "version_items"},
		{"what it is handed on to takes it for several", `
static int sum(const int *list) { return list[0] + list[1]; }
int total(const int *list, unsigned n) { return *list > 3 && n > 2 ? sum(list) : 0; }
`, "total", drivers.Arguments, "list_items", "list_item;"},
		{"the context of a callback, which no length before it tells of", `
struct found { int depth, *at; const char *text; };
int found(int token, const char *text, int len, void *context)
{
    struct found *f = context;
    return f->depth == token && f->at && *f->at == len;
}
`, "found", drivers.Arguments, "context_item", "context_bytes"},
		{"structures without a type, of which a number tells", `
struct pair { int a, b; };
int pairs(void *list, int n)
{
    struct pair *p = list;
    for (int i = 0; i < n; i++)
        if (p[i].a == p[i].b)
            return 1;
    return 0;
}
`, "pairs", drivers.Arguments, "list_bytes", ""},
		{"what argc tells the number of", `struct state { int n; };
int count(struct state *s, int argc, char **argv)
{
    s->n = argc - 1;
    return argv[s->n] && argv[s->n][0] == 'x';
}
`, "count", drivers.Arguments, "klee_assume(argc <= 4)", ""},
		{"a text beside one of which a number tells", `#include <string.h>
int match(const char *re, const char *s, int s_len) { return strlen(re) > 2 && s_len > 2 && s[2] == re[2]; }
`, "match", drivers.Arguments, "klabel_exact(s, (unsigned long)s_len * sizeof *s)", "klabel_exact(re, (unsigned long)"},
		{"a text, whose end more room behind others does not move", `
int format(char *to, const char *text)
{ int n = 0; while (text[n] && text[n] != '%') { to[n] = text[n]; n++; } return n; }
`, "format", drivers.Room, "text = klabel_exact(text, __builtin_strlen(text) + 1);", "to = klabel_exact("},
		{"characters of which a number tells, with more room behind them", `
int sum(const char *from, int n) { int s = 0; for (int i = 0; i < n; i++) s += from[2 * i]; return s == 100; }
`, "sum", drivers.Room, "from_items", "klabel_exact(from"},
		{"a table of a size that the code says, of which no number tells", `
int laid(unsigned *table, const char *text, int n)
{
    int i;
    for (i = 0; i < 65536; i++)
        table[i] = 0;
    for (i = 0; i < n; i++)
        if (table[text[i] & 255]++)
            return 1;
    return 0;
}
`, "laid", drivers.Arguments, "unsigned int (*table_items)[65536];", "table = klabel_exact("},
		{"zeros behind what is input, in memory that somebody writes", `
int put(int *at, const int *from, unsigned n) { return at[n * 77] = from[n * 77] > 5; }
`, "put", drivers.Room, "int (*at_items)[16384];", "int (*from_items)[16384];"},
		{"items far behind in a call, which are too many to be input", `
static int late(const int *t) { return t[4000]; }
int skipped(const int *t) { return late(t + 5000) > 5; }
`, "skipped", drivers.Arguments, "int (*t_items)[4];", "[9001]"},
		{"what goes down from a number of items", `
int last(const int *t, int total)
{
    int i;
    for (i = total - 1; i >= 0; i--)
        if (t[i] > 5)
            break;
    return i;
}
`, "last", drivers.Arguments, "t = klabel_exact(t, (unsigned long)total * sizeof *t);", ""},
		{"the place of the last item, through a call", `
static int split(int t[], int low, int high)
{
    int pivot = t[high], i = low - 1, j;
    for (j = low; j <= high - 1; j++)
        if (t[j] <= pivot)
            t[++i] = t[j];
    return i + 1;
}
void sort(int t[], int low, int high) { if (low < high) sort(t, low, split(t, low, high) - 1); }
`, "sort", drivers.Arguments, "t = klabel_exact(t, ((unsigned long)high + 1) * sizeof *t);",
			"klabel_exact(t, (unsigned long)low"},
		{"the place of the last item, which halves lead to", `
int find(const int *t, int from, int to, int x)
{
    while (from <= to) {
        int mid = from + (to - from) / 2;
        if (t[mid] == x)
            return mid;
        if (t[mid] < x)
            from = mid + 1;
        else
            to = mid - 1;
    }
    return -1;
}
`, "find", drivers.Arguments, "klee_assume(to <= 4);", "klee_assume(from <= 4);"},
		{"what is called a number, and an index comes to", `
int sum(const int *t, int n)
{
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += t[i];
    return s > 9;
}
`, "sum", drivers.Arguments, "t = klabel_exact(t, (unsigned long)n * sizeof *t);", "int (*t_items)[5];"},
		{"a number that an index is compared with, and what is no last item", `
int sum(const int *t, int n, int step)
{
    int s = 0;
    for (int i = 0; i < n; i += step)
        s += t[i];
    return s > 9;
}
`, "sum", drivers.Arguments, "t = klabel_exact(t, (unsigned long)n * sizeof *t);", "int (*t_items)[5];"},
		{"as many numbers as pointers before them, each in its turn", `
int pack(const char *from, char *to, int fromSize, int toCapacity)
{
    int i;
    for (i = 0; i < fromSize && i < toCapacity; i++)
        to[i] = from[i];
    return i;
}
`, "pack", drivers.Arguments, "to = klabel_exact(to, (unsigned long)toCapacity * sizeof *to);",
			"klabel_exact(to, (unsigned long)fromSize"},
		{"a constant with a name that a number of items is compared with", `
static const int least = 25;
static int last(const char *text, int size) { return size < least ? -1 : text[least - 1]; }
int past(const char *text, int size) { return last(text, size); }
`, "past", drivers.Arguments, "char (*text_items)[25];", ""},
		{"the size of a structure, which tells nothing of a text before it", `
struct stream { int state; };
int stream_init(struct stream *s, const char *version, int stream_size)
{
    if (version == 0 || version[0] != '1' || stream_size != (int)sizeof(struct stream))
        return -1;
    s->state = 1;
    return 0;
}
int stream_read(struct stream *s) { return s->state == 1; }
`, "stream_read", drivers.Calls, "s:begun:stream_init", "stream_size <="},
		{"a text of which a number tells has an end", `#include <string.h>
int same(const char *s, int len)
{
    if (len < 0)
        len = (int)strlen(s);
    return len > 2 && s[len - 1] == 'x';
}
`, "same", drivers.Arguments, "(*s_text)[8] = 0;", "klabel_exact(s, (unsigned long)len"},
		{"the name of a file that is opened by its descriptor", `#include <fcntl.h>
int first(const char *path) { return open(path, O_RDONLY) < 0; }
`, "first", drivers.Arguments, `klabel_file(path_file,`, ""},
		{"the first parts of what has more than an entry builds", `struct bits { unsigned kind : 3; };
struct table { struct bits rows[500]; };
int first(const struct table *t) { return t->rows[0].kind == 5; }
`, "first", drivers.Arguments, "rows[100].kind = klabel_value;", "rows[499]"},
		{"an allocation that fails behind a pointer which a maker sets", `#include <stdlib.h>
struct list { void *(*get)(size_t); void *last; };
struct list *list_new(void)
{
    struct list *l = malloc(sizeof *l);
    if (l)
        l->get = malloc;
    return l;
}
int list_add(struct list *l) { l->last = l->get(8); return l->last != NULL; }
`, "list_add", drivers.Failing, "klabel_failing = ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := entryOf(t, c.text, c.function, c.variant)
			if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("want %s, and not %q:\n%s", c.want, c.not, got)
			}
		})
	}
}

// An engine that hands its solver whole arrays gets no larger ones than what is input.
func TestNoZerosForWholeArrays(t *testing.T) {
	const text = "int put(int *at, unsigned n) { return at[n * 77]++ > 5; }\n"
	for whole, want := range map[bool]string{false: "int (*at_items)[16384];", true: "int (*at_items)[256];"} {
		c := entryWith(t, text, "put", drivers.Room, drivers.Options{WholeArrays: whole})
		if !strings.Contains(c, want) {
			t.Errorf("whole arrays %v: no %q\n%s", whole, want, c)
		}
	}
}

package drivers_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
)

// entryOf is the text of one function's entry, which compiles.
func entryOf(t *testing.T, text, function string, v drivers.Variant) string {
	t.Helper()
	return entryWith(t, text, function, v, drivers.Options{})
}

func entryWith(t *testing.T, text, function string, v drivers.Variant, o drivers.Options) string {
	t.Helper()
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	u := b.unit(t, file)
	d, err := drivers.ForUnit(u, o, []drivers.Want{{Function: function, Variant: v, Number: 1}})
	if err != nil || len(d.LeftOut) > 0 {
		t.Fatalf("%v, left out: %+v", err, d.LeftOut)
	}
	whole := d.Apply(u)
	if _, err := csource.Parse(t.Context(), file, whole, b.options()); err != nil {
		t.Fatalf("%v\n%s", err, d.Text())
	}
	c, ll := file+".driven.c", file+".ll"
	if err := os.WriteFile(c, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.tools.Clang.IR(t.Context(), c, ll, []string{"-w"}); err != nil {
		t.Fatalf("%v\n%s", err, d.Text())
	}
	return d.Text()
}

// What fills an object may ask for a place to put the old value, too.
func TestOperationWithPlace(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct tree { struct tree *sub; unsigned char key[4]; void *data; };
struct tree *tree_new(void) { return calloc(1, sizeof(struct tree)); }
int tree_insert(struct tree *t, const unsigned char *key, size_t n, void *data, void **old)
{
    if (old)
        *old = t->data;
    t->data = data;
    if (n > 0)
        t->key[0] = key[0];
    return t->data != 0;
}
int tree_find(struct tree *t, unsigned char c) { return t && t->key[0] == c && t->data; }
`, "tree_find", drivers.Calls)
	if !strings.Contains(c, "(void)tree_insert((void *)t,") {
		t.Errorf("nothing is put into the tree:\n%s", c)
	}
}

// A pointer to a list of variable arguments leads to one.
func TestPointerToList(t *testing.T) {
	c := entryOf(t, `#include <stdarg.h>
int sum(int n, va_list *list)
{
    int s = 0;
    while (n-- > 0)
        s += va_arg(*list, int);
    return s;
}
`, "sum", drivers.Arguments)
	if !strings.Contains(c, "sum(n, &klabel_list)") {
		t.Errorf("no list is handed on:\n%s", c)
	}
}

// A list of variable arguments that a structure holds is an array on most machines: nothing is assigned to it.
func TestListInStructure(t *testing.T) {
	c := entryOf(t, `#include <stdarg.h>
typedef struct box { int n; va_list list; } box;
int first(box *b) { return b->n > 3 ? va_arg(b->list, int) : 0; }
`, "first", drivers.Arguments)
	if !strings.Contains(c, "list, 0, sizeof ") || strings.Contains(c, "list = 0") {
		t.Errorf("the list is no zeroed memory:\n%s", c)
	}
}

// Each pointer that may lead somewhere is a fork: few of those of a long array do.
func TestManyPointers(t *testing.T) {
	c := entryOf(t, `struct stack { int top; int *items[32]; };
int top(const struct stack *s) { return s->top >= 0 && s->top < 32 && s->items[s->top] ? *s->items[s->top] : 0; }
`, "top", drivers.Arguments)
	if !strings.Contains(c, `"s->items[7]"`) || strings.Contains(c, `"s->items[8]"`) ||
		!strings.Contains(c, "s_item->items[8], 0, 192)") {
		t.Errorf("not the first eight of the pointers lead somewhere:\n%s", c)
	}
}

// What a call before the one under test puts a pointer into is room for it, and no fork;
// such a call can be repeated, with keys that begin alike.
func TestRoomForPointer(t *testing.T) {
	const text = `#include <stdlib.h>
struct map { int n; unsigned char first[100]; };
struct map *map_new(void) { return calloc(1, sizeof(struct map)); }
int map_add(struct map *m, unsigned char *key, size_t len, void **old)
{
    *old = m;
    if (m->n >= 100 || len == 0)
        return 0;
    m->first[m->n++] = key[0];
    return 1;
}
int map_full(struct map *m) { return m && m->n == 100; }
`
	c := entryOf(t, text, "map_full", drivers.Calls)
	if !strings.Contains(c, "(void *)(void *[4]){0});") || strings.Contains(c, "map_add.old") {
		t.Errorf("no room for the old value:\n%s", c)
	}
	c = entryOf(t, text, "map_full", drivers.Sequences)
	if !strings.Contains(c, "many_map_add_for_map_full(") || !strings.Contains(c, "[i][1] = (char)('a' +") {
		t.Errorf("no many calls of map_add:\n%s", c)
	}
}

// What makes room in an object comes before what a file keeps to itself.
func TestRoomIsMade(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct text { int len, room; };
struct text *text_new(void) { return calloc(1, sizeof(struct text)); }
static void put_a(struct text *t) { t->len = 1; }
static void put_b(struct text *t) { t->len = 2; }
static void put_c(struct text *t) { t->len = 3; }
static void put_d(struct text *t) { t->len = 4; }
void text_grow(struct text *t, int n) { t->room += n; }
void use(struct text *t) { put_a(t); put_b(t); put_c(t); put_d(t); }
int text_fits(struct text *t, int n) { return t && n <= t->room - t->len; }
`, "text_fits", drivers.Calls)
	if !strings.Contains(c, "(void)text_grow((void *)t,") {
		t.Errorf("the text is never made longer:\n%s", c)
	}
}

// What is made in memory of the caller's is given enough of it, and the number of its bytes.
func TestMemoryIsGiven(t *testing.T) {
	c := entryOf(t, `#include <stddef.h>
struct heap { size_t room; struct heap *next; };
struct heap *heap_make(void *memory, size_t bytes)
{
    struct heap *h = memory;
    if (bytes < sizeof *h)
        return NULL;
    h->room = bytes - sizeof *h;
    h->next = h;
    return h;
}
int heap_is_large(const struct heap *h) { return h && h->next == h && h->room > 1000; }
`, "heap_is_large", drivers.Calls)
	if !strings.Contains(c, "heap_make(calloc(1, 16384), 16384)") {
		t.Errorf("nothing can be made:\n%s", c)
	}
}

// Where an allocation fails, what no function makes is given: calls on zeroed memory
// hardly get to where the function allocates.
func TestFailingIsGiven(t *testing.T) {
	c := entryOf(t, `#include <stdlib.h>
struct scanner { const char *next; int kind; };
void scan(struct scanner *s) { s->kind = *s->next++; }
void *value(struct scanner *s)
{
    int *v = s->kind == '1' ? malloc(sizeof *v) : 0;
    scan(s);
    return v;
}
`, "value", drivers.Failing)
	if !strings.Contains(c, `"s->next[]"`) || strings.Contains(c, "calloc(1") {
		t.Errorf("what s leads to is not given:\n%s", c)
	}
}

// Where the user of drivers wants it, a test of any entry may name an allocation that fails, if
// the function allocates; in the variant for that each test does.
func TestTestsNameWhatFails(t *testing.T) {
	text := `#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *make(int key)
{
    struct node *n = malloc(sizeof *n);
    if (n) {
        n->key = key;
        n->next = 0;
    }
    return n;
}
int push(struct node **list, int key)
{
    struct node *n = make(key);
    if (n == 0)
        return 0;
    n->next = *list;
    *list = n;
    return 1;
}
int first(const struct node *list) { return list ? list->key : 0; }
int save(const char *name)
{
    FILE *f = fopen(name, "w");
    return f != 0 && fclose(f) == 0;
}
`
	const told = `klabel_failing = klabel_told("failing allocation");`
	const onStreams = `klabel_fail_on_streams(klabel_told("failing call on a stream"));`
	may := drivers.Options{Refusing: true}
	for _, tt := range []struct {
		function string
		variant  drivers.Variant
		options  drivers.Options
		want     bool
	}{
		{"push", drivers.Arguments, may, true},
		{"push", drivers.Wider, may, true},
		{"push", drivers.Failing, may, false},
		{"push", drivers.Arguments, drivers.Options{}, false},
		{"first", drivers.Arguments, may, false},
		{"save", drivers.Arguments, may, false},
		{"save", drivers.Arguments, drivers.Options{}, false},
	} {
		c := entryWith(t, text, tt.function, tt.variant, tt.options)
		if strings.Contains(c, told) != tt.want {
			t.Errorf("%s%s, %v: want %v\n%s", tt.function, tt.variant, tt.options.Refusing, tt.want, c)
		}
		if want := tt.function == "save" && tt.options.Refusing; strings.Contains(c, onStreams) != want {
			t.Errorf("%s%s, %v: streams that fail: want %v\n%s", tt.function, tt.variant, tt.options.Refusing, want, c)
		}
	}
}

// Memory may be asked for in another file: by what that calls, or through a pointer where it names malloc.
func TestAllocatesElsewhere(t *testing.T) {
	b := newBench(t)
	units := []*csource.Unit{
		b.text(t, "memory.c", "#include <stdlib.h>\nstatic void *(*get)(size_t) = malloc;\n"+
			"void *pointed(size_t n) { return get(n); }\nvoid *plain(size_t n) { return n ? calloc(1, n) : 0; }\n"+
			"int none(int x) { return x + 1; }\n"),
		b.text(t, "more.c", "#include <stdio.h>\nvoid *plain(unsigned long);\n"+
			"static void *inner(void) { return plain(2); }\n"+
			"int outer(void) { return inner() != 0; }\nint say(FILE *f) { return fputs(\"x\", f); }\n"+
			"static int (*way)(int);\nint through(int x) { return way(x); }\n"),
	}
	got := drivers.AcrossFiles(units)
	for name, want := range map[string][2]bool{"pointed": {true, false}, "plain": {true, false}, "none": {false, false},
		"outer": {true, false}, "say": {false, true}, "through": {false, true}} {
		if got.Allocating[name] != want[0] || got.Streaming[name] != want[1] {
			t.Errorf("%s: %v, %v, want %v", name, got.Allocating[name], got.Streaming[name], want)
		}
	}
	user := b.text(t, "user.c", "#include <stdlib.h>\nint outer(void); int none(int);\n"+
		"int uses(int x) { return x > 1 && outer(); }\nint not(int x) { return x > 1 && none(x); }\n")
	for name, want := range map[string]bool{"uses": true, "not": false} {
		d, err := drivers.ForUnit(user, drivers.Options{Across: got, Refusing: true,
			Defined: map[string]bool{"outer": true, "none": true}},
			[]drivers.Want{{Function: name, Variant: drivers.Failing, Number: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if has := len(d.Entries) == 1; has != want {
			t.Errorf("%s: an entry in which allocations fail: %v, want %v", name, has, want)
		}
	}
}

// What a call leaves behind is there for the next call of the same function, and a function
// of another file that sets a variable is called before one that reads it.
func TestWhatCallsLeave(t *testing.T) {
	for text, want := range map[string]string{
		"static int total; int add(int k) { if (total > 50) total = 0; return total += k; }": "(void)add(",
		"int count(void) { static int n; return n++ > 1; }":                                  "(void)count(",
	} {
		name := strings.TrimSuffix(strings.TrimPrefix(want, "(void)"), "(")
		if c := entryOf(t, text, name, drivers.Calls); strings.Count(c, want) < 3 {
			t.Errorf("%s is not called before itself:\n%s", name, c)
		}
	}
	b := newBench(t)
	sets := b.text(t, "sets.c", "int mode; static int own; void set_mode(int x) { mode = x; }\n"+
		"static void hidden(void) { mode = 2; } void through(void) { hidden(); own++; }\n"+
		"int reads(void) { return mode + own; }\n")
	want := map[string]map[string]bool{"mode": {"set_mode": true, "through": true}}
	if got := drivers.AcrossFiles([]*csource.Unit{sets}).Writers; !reflect.DeepEqual(got, want) {
		t.Errorf("variables are set by %v", got)
	}
	uses := b.text(t, "uses.c", "extern int mode; void set_mode(int x); int act(int x) { return mode == 1 && x; }\n")
	d, err := drivers.ForUnit(uses, drivers.Options{Defined: map[string]bool{"mode": true, "set_mode": true},
		Across: drivers.Across{Writers: want}}, []drivers.Want{{Function: "act", Variant: drivers.Calls, Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if c := string(d.Text()); !strings.Contains(c, "(void)set_mode(") {
		t.Errorf("set_mode is not called before act: %v\n%s", d.LeftOut, c)
	}
}

// A pointer that only functions of other files read is given nevertheless.
func TestPointersThatOtherFilesRead(t *testing.T) {
	b := newBench(t)
	says := b.text(t, "says.c", "#include <stdio.h>\nextern FILE *sink; extern int level, *at; static FILE *own;\n"+
		"static void say(const char *s) { if (level > *at) fputs(s, sink); }\n"+
		"void fail(const char *s) { say(s); fclose(sink); }\nvoid opens(FILE *f) { sink = f; own = f; }\n")
	calls := b.text(t, "calls.c", "void fail(const char *); void fatal(void) { fail(\"no\"); }\n")
	got := drivers.AcrossFiles([]*csource.Unit{calls, says})
	want := map[string]map[string]bool{"sink": {"fail": true, "fatal": true}, "at": {"fail": true, "fatal": true}}
	if !reflect.DeepEqual(got.Readers, want) {
		t.Errorf("pointers are read by %v", got.Readers)
	}
	user := b.text(t, "user.c", "#include <stdio.h>\nFILE *sink; extern int level;\n"+
		"void fatal(void); int act(int x) { if (x > 9) fatal(); return x; }\nint none(int x) { return x > 9; }\n")
	d, err := drivers.ForUnit(user, drivers.Options{Defined: map[string]bool{"fatal": true}, Across: got},
		[]drivers.Want{{Function: "act", Variant: drivers.State, Number: 1},
			{Function: "none", Variant: drivers.State, Number: 2}})
	if err != nil {
		t.Fatal(err)
	}
	c := string(d.Text())
	if len(d.Entries) != 1 || d.Entries[0].Function != "act" || !strings.Contains(c, "sink = ") ||
		strings.Contains(c, "level = ") {
		t.Errorf("sink is not given, or more is: %v\n%s", d.LeftOut, c)
	}
}

// Functions of the right type may stand in another file of the program: one is given where the unit has none.
func TestFunctionsOfOtherFiles(t *testing.T) {
	const text = "typedef int (*order)(const void *, const void *);\n" +
		"int by_number(const void *a, const void *b);\nint by_name(const void *a, const void *b);\n" +
		"int nobody_defines(const void *a, const void *b);\nint other(int);\n"
	const sorted = "int sorted(int *a, int n, order o) {\n" +
		"    for (int i = 1; i < n; i++) if (o(&a[i - 1], &a[i]) > 0) return 0;\n    return 1;\n}\n"
	const own = "int here(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n"
	defined := drivers.Options{Defined: map[string]bool{"by_number": true, "by_name": true, "other": true}}
	for _, test := range []struct {
		name, text   string
		options      drivers.Options
		want, mayNot []string
	}{
		{"defined elsewhere", text + sorted, defined, []string{"o = by_name;", "o = o_stub;"},
			[]string{"by_number;", "nobody_defines;", "= other;"}},
		{"one of its own", text + own + sorted, defined, []string{"o = here;"}, []string{"by_name;", "by_number;"}},
		{"declared alone", text + sorted, drivers.Options{}, []string{"o = o_stub;"}, []string{"by_name;", "by_number;"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := entryWith(t, test.text, "sorted", drivers.Arguments, test.options)
			for _, w := range test.want {
				if !strings.Contains(c, w) {
					t.Errorf("no %q in\n%s", w, c)
				}
			}
			for _, w := range test.mayNot {
				if strings.Contains(c, w) {
					t.Errorf("%q in\n%s", w, c)
				}
			}
		})
	}
}

// tasks is a scheduler: what makes a task takes a function and untyped memory, and others tell which one runs.
const tasks = `#include <stdlib.h>
typedef void (*body)(void *);
struct task { body run; void *with; unsigned long rank; struct task *next; };
typedef struct task *handle;
static struct task *current, *ready;
static unsigned long ticks;
handle task_current(void) { handle h = current; return h; }
static handle task_other(void) { return (handle)ready; }
int task_create(body run, void *with, unsigned long rank, handle *created)
{
    struct task *t;
    if (rank > 4 || !run || !(t = calloc(1, sizeof *t)))
        return -1;
    t->run = run;
    t->with = with;
    t->rank = rank;
    t->next = ready;
    ready = t;
    if (!current || current->rank < rank)
        current = t;
    *created = t;
    return 0;
}
void task_catch_up(unsigned long n) { ticks += n; }
int task_rank(handle h) { return h && h->rank > 2 && h == current; }
int task_tick(void) { ticks++; return ready && ready->rank > 1 ? ticks > 3 : 0; }
`

// What only tells of an object comes after what makes one; that is a function of its own, however many arguments it
// takes, and an object may be made before what reads the state alone.
func TestWhatMakesComesFirst(t *testing.T) {
	c := entryOf(t, tasks, "task_rank", drivers.Calls)
	made, told := strings.Index(c, "case 1: (void)task_create("), strings.Index(c, "case 2: h = (void *)task_")
	if made < 0 || told < made {
		t.Errorf("task_create makes no task:\n%s", c)
	}
	if strings.Contains(c, "16384") {
		t.Errorf("a rank is taken for the size of what a task is given:\n%s", c)
	}
	if c := entryOf(t, tasks, "task_tick", drivers.Calls); !strings.Contains(c, "1: (void)task_create(call_1_") {
		t.Errorf("no task is made before a tick, or something caught up with first:\n%s", c)
	}
}

// What nobody defines and takes numbers gives the same ones back.
func TestStubGivesBackWhatItTakes(t *testing.T) {
	for result, want := range map[string]string{
		"unsigned *begin(unsigned *top, int n);":       "? klabel_top : 0;",
		"unsigned *begin(const char *name, int n);":    "klabel_result = *begin_items;",
		"unsigned *begin(unsigned char *top, int n);":  "klabel_result = *begin_items;",
		"const unsigned *begin(unsigned *top, int n);": "klabel_result = *begin_items;",
	} {
		c := entryOf(t, result+"\nint f(void) { unsigned a[4] = {0}; return begin((void *)a, 3) == (void *)a; }\n", "f",
			drivers.Arguments)
		if !strings.Contains(c, want) {
			t.Errorf("%s: no %s in\n%s", result, want, c)
		}
	}
}

// What another file may release comes from malloc, but not from one that is the program's own.
func TestReleasedElsewhere(t *testing.T) {
	text := "struct s { int n; };\nint look(struct s *s);\nint f(struct s *s) { return s->n > 3 && look(s); }\n"
	for own, want := range map[bool]bool{false: true, true: false} {
		defined := map[string]bool{"look": true, "malloc": own}
		got := entryWith(t, text, "f", drivers.Arguments, drivers.Options{Defined: defined})
		if strings.Contains(got, "malloc(") != want {
			t.Errorf("own malloc: %v\n%s", own, got)
		}
	}
}

// A variable that only a block declares, and nobody defines, is declared before it is made.
func TestVariableOfBlock(t *testing.T) {
	got := entryOf(t, "int f(int i) { extern const char *names[], *const at;\n"+
		"extern int far; return names[i] && at && far > 3; }\n",
		"f", drivers.Arguments)
	if !strings.Contains(got, "klabel_zero_far") || !strings.Contains(got, "klabel_zero_names[4]") {
		t.Error(got)
	}
	got = entryOf(t, "extern char room[]; struct s { int a, b; };\n"+
		"struct big { char c[4096]; }; extern struct big many[];\n"+
		"int f(int i) { return ((struct s *)room)->b == i && many[1].c[1]; }\n", "f", drivers.Arguments)
	if !strings.Contains(got, "klabel_zero_room[1024]") || !strings.Contains(got, "klabel_zero_many[4]") {
		t.Error(got)
	}
}

const treeText = `#include <stdlib.h>
struct node { int key; const char *name; struct node *left, *right; };
struct tree { struct node *root; };
struct tree *tree_new(void) { return calloc(1, sizeof(struct tree)); }
void tree_insert(struct tree *t, struct node *n)
{
    struct node **at = &t->root;
    while (*at)
        at = n->key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = n;
}
struct node *tree_first(const struct tree *t)
{
    struct node *n = t->root;
    while (n && n->left)
        n = n->left;
    return n;
}
int tree_leaf(struct tree *t, struct node *n) { return t->root != n && !n->left && !n->right; }
`

// A container that links what its caller has the memory of is filled with other nodes each time, and what is found in
// it is found then.
func TestFilledWithNodes(t *testing.T) {
	c := entryOf(t, treeText, "tree_leaf", drivers.Sequences)
	for _, want := range []string{"static struct node items_2[130][1];", "items_2[i]->key = k;",
		"items_2[i]->name = items_2_name[i];", "tree_insert((void *)self, (void *)items_2[i]);"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q\n%s", want, c)
		}
	}
	c = c[strings.Index(c, "klabel_entry_1"):]
	made := strings.Index(c, "t = (void *)tree_new()")
	filled := strings.Index(c, "many_tree_insert_for_tree_leaf((void *)t")
	found := strings.Index(c, "n = (void *)tree_first((void *)t)")
	used := strings.Index(c, "(void)tree_leaf(t, n)")
	if made < 0 || filled < made || found < filled || used < found {
		t.Errorf("made at %d, filled at %d, found at %d, used at %d\n%s", made, filled, found, used, c)
	}
}

package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

const parserText = `#include <stdlib.h>
struct enc { int kind; int (*conv)(const struct enc *, int); };
struct pool { int used; };
struct dtd { struct pool names; };
struct parser { unsigned long mark; const struct enc *enc; struct pool pool; struct dtd *dtd; int depth; };
static int plain(const struct enc *e, int c) { return e->kind + c; }
static const struct enc latin = { 1, plain };
struct parser *parser_new(void)
{
    struct parser *p = calloc(1, sizeof *p);
    if (p) {
        p->enc = &latin;
        p->dtd = calloc(1, sizeof *p->dtd);
    }
    return p;
}
void parser_share(struct parser *p, struct pool *pool) { p->pool = *pool; }
int step(const struct enc *e, struct parser *p, struct pool *pool)
{
    void *memory = malloc(4);
    int is = e == p->enc && memory && (pool == &p->pool || pool == &p->dtd->names);
    free(memory);
    return is;
}
`

// A pointer is taken from within the object that calls have made, after them.
func TestWithinMadeObjects(t *testing.T) {
	c := entryOf(t, parserText, "step", drivers.Calls)
	made, taken := strings.Index(c, "parser_new()"), strings.Index(c, "e = (void *)(p ? p->enc : 0);")
	if called := strings.Index(c, "(void)step(e, p, pool)"); made < 0 || taken < made || called < taken {
		t.Errorf("the encoding is not taken between making the parser and the call\n%s", c)
	}
	if strings.Contains(c, "e_conv_stub") {
		t.Errorf("a stub stands in for the operations of an object of the program's\n%s", c)
	}
	if plain := entryOf(t, parserText, "step", drivers.Arguments); strings.Contains(plain, "_held") {
		t.Errorf("nothing is made, and something is taken from within it\n%s", plain)
	}
}

// What is not made is given to no call.
func TestNotMadeNotGiven(t *testing.T) {
	c := entryOf(t, parserText, "step", drivers.Failing)
	for _, want := range []string{"if (pool_held == 1)", "pool = (void *)(p ? &p->pool : 0);",
		"pool = (void *)(p && p->dtd ? &p->dtd->names : 0);"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q\n%s", want, c)
		}
	}
	if strings.Contains(c[strings.Index(c, "klabel_entry_1"):], "parser_share(") {
		t.Errorf("a call is given what nothing makes\n%s", c)
	}
}

const taggedText = `struct cells;
typedef struct { int kind; union { struct cells *cells; double number; } u; } value;
value nothing(void) { value v = {0, {0}}; return v; }
value yes(void) { value v = {1, {0}}; return v; }
value number(double d) { value v = {2, {0}}; v.u.number = d; return v; }
value list(void);
value append(value to, value item) { return to.kind == 3 ? to : item; }
int kind_of(value v) { return v.u.cells == 0 ? -1 : v.kind; }
`

// A structure of which nobody knows what it leads to is made by functions that return one, all of those that take no
// arguments, and so is another one that a call before is given beside it.
func TestMadeValues(t *testing.T) {
	c := entryOf(t, taggedText, "kind_of", drivers.Calls)
	for _, want := range []string{"v = nothing(); break;", "v = yes(); break;", "v = number(v_begun_number_d); break;",
		"klabel_a_value = yes(); break;", "v = append(v, klabel_a_value); break;"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q\n%s", want, c)
		}
	}
	if plain := entryOf(t, taggedText, "kind_of", drivers.Arguments); !strings.Contains(plain, "v.u.cells = 0;") {
		t.Errorf("what leads nowhere is not NULL\n%s", plain)
	}
}

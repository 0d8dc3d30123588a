package drivers_test

import (
	"slices"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
)

// What other files keep to themselves is changed by calls of their functions before it is asked for.
func TestHiddenState(t *testing.T) {
	b := newBench(t)
	units := []*csource.Unit{
		b.text(t, "files.c", "struct file { int at; }; static struct file *files; static int depth, fixed = 3;\n"+
			"void files_push(struct file *f) { files = f; depth++; }\n"+
			"void files_mark(void) { if (files) files->at = 0; }\n"+
			"int files_next(void) { return files ? files->at : fixed; }\n"+
			"int files_depth(void) { return depth; }\nint files_fixed(void) { return fixed; }\n"),
		b.text(t, "lex.c", "struct file; void files_push(struct file *); int files_next(void);\n"+
			"void lex_open(struct file *f) { files_push(f); }\nint lex_next(void) { return files_next(); }\n"),
	}
	across := drivers.AcrossFiles(units)
	named := func(of map[string]map[string]bool, f string) string {
		var out []string
		for variable, functions := range of {
			if functions[f] {
				out = append(out, variable)
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for f, want := range map[string]string{"files_next": "0:files", "lex_next": "0:files", "files_depth": "0:depth",
		"files_fixed": ""} {
		if got := named(across.Asks, f); got != want {
			t.Errorf("%s reads %q, want %q", f, got, want)
		}
	}
	for f, want := range map[string]string{"files_push": "0:depth 0:files", "lex_open": "0:depth 0:files",
		"files_mark": "0:files", "files_next": ""} {
		if got := named(across.Changes, f); got != want {
			t.Errorf("%s changes %q, want %q", f, got, want)
		}
	}
	user := b.text(t, "parse.c", "struct file { int at; }; void lex_open(struct file *); void files_mark(void);\n"+
		"int lex_next(void); int files_depth(void); int files_fixed(void);\n"+
		"static int token(void) { return lex_next(); }\nint parse(int x) { return token() == 'p' && x; }\n"+
		"int deep(int x) { return files_depth() > 1 && x; }\nint plain(int x) { return files_fixed() > 1 && x; }\n")
	defined := map[string]bool{"lex_open": true, "files_mark": true, "lex_next": true, "files_depth": true,
		"files_fixed": true}
	for function, calls := range map[string]string{"parse": "lex_open files_mark", "deep": "lex_open", "plain": ""} {
		d, err := drivers.ForUnit(user, drivers.Options{Across: across, Defined: defined},
			[]drivers.Want{{Function: function, Variant: drivers.Calls, Number: 1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"lex_open", "files_mark"} {
			called := len(d.Entries) == 1 && strings.Contains(string(d.Text()), "(void)"+f+"(") ||
				len(d.Entries) == 1 && strings.Contains(string(d.Text()), ": "+f+"(")
			if want := slices.Contains(strings.Fields(calls), f); called != want {
				t.Errorf("%s: %s is called before: %v, want %v\n%s", function, f, called, want, d.Text())
			}
		}
	}
}

// TestStateBesideObjects: a function that makes an object of another kind, and with it state that no header declares,
// is called even where there are calls enough for the object; what makes another object of its kind is not. What begins
// an object comes last where one is made.
func TestStateBesideObjects(t *testing.T) {
	b := newBench(t)
	tasks := b.text(t, "tasks.c", "struct task { int priority; }; struct task *current;\n"+
		"int task_create(void (*code)(void *), void *data, int priority, struct task **made) {\n"+
		"    static struct task room; (void)code; (void)data; room.priority = priority; current = &room;\n"+
		"    if (made) *made = &room; return 1; }\nvoid task_forget(void) { current = 0; }\n"+
		"int task_waits(int n) { return current->priority < n; }\n")
	queue := b.text(t, "queue.c", "#include <stdlib.h>\nstruct task; int task_waits(int); void task_forget(void);\n"+
		"int task_create(void (*code)(void *), void *data, int priority, struct task **made);\n"+
		"struct queue { int length, at; };\n"+
		"struct queue *queue_create(int n) { struct queue *q = malloc(sizeof *q); task_forget();\n"+
		"    if (q) q->length = n, q->at = 0; return q; }\n"+
		"struct queue *queue_copy(struct queue *q) { return queue_create(q->length); }\n"+
		"void queue_init(struct queue *q) { q->at = 0; }\n"+
		"void queue_setup(struct queue *q, int n) { q->length = n; }\n"+
		"void queue_take(struct queue *q) { q->at--; }\nvoid queue_turn(struct queue *q) { q->at = -q->at; }\n"+
		"int queue_send(struct queue *q, int x) { return q->at < q->length ? q->at++, x : 0; }\n"+
		"int queue_receive(struct queue *q, int n) { return q->at == 0 ? task_waits(n) : q->at-- > 1; }\n")
	units := []*csource.Unit{tasks, queue}
	d, err := drivers.ForUnit(queue, drivers.Options{Across: drivers.AcrossFiles(units),
		Defined: map[string]bool{"task_create": true, "task_waits": true, "task_forget": true}},
		[]drivers.Want{{Function: "queue_receive", Variant: drivers.Calls, Number: 1}})
	if err != nil || len(d.Entries) != 1 {
		t.Fatal(d, err)
	}
	text := string(d.Text())
	for call, want := range map[string]bool{"queue_send((void *)q": true, "queue_take((void *)q": true,
		"(void)task_create(call_1": true, "queue_init((void *)q": false, "(void)queue_create(call": false} {
		if got := strings.Contains(text, call); got != want {
			t.Errorf("%s is called: %v, want %v\n%s", call, got, want, text)
		}
	}
}

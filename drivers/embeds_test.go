package drivers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/csource"
	"klabel/drivers"
)

const (
	embeddingTypes = `
struct base { int kind; };
typedef struct { struct base base; int more; } middle_t;
struct last { middle_t middle; char text[4]; };
struct link { struct link *next; };
struct job { int priority; struct { int n; struct link link; } queue; struct link all; };
struct event { short code; };
struct key { short code; int value; };
struct other { int value; short code; };
struct flexible { struct base base; int items[]; };
`
	embeddingUses = embeddingTypes + `
#define job_of(l, m) ((struct job *)((char *)(l) - __builtin_offsetof(struct job, m)))
int up(struct base *b) { return ((const middle_t *)b)->more; }
int again(struct base *b) { return ((middle_t *)(void *)b)->more; }
int queued(struct link *l) { return job_of(l, queue.link)->priority + job_of(l, all)->priority; }
int typed(struct event *e) { return ((struct key *)e)->value; }
int not_alike(struct event *e) { return ((struct other *)e)->value; }
int down(struct last *l) { return ((struct base *)l)->kind; }
int open_end(struct base *b) { return ((struct flexible *)b)->items[0]; }
int after(struct link *l) { return *(int *)((char *)l + 4); }
`
	embeddingFurther = embeddingTypes + `
int further(middle_t *m) { return ((struct last *)m)->text[0]; }
`
)

// Casts of all units tell, and what follows from two of them.
func TestEmbeddings(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	var units []*csource.Unit
	for _, f := range []struct{ name, text string }{{"uses.c", embeddingUses}, {"further.c", embeddingFurther}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		units = append(units, b.unit(t, path))
	}
	want := map[string][]drivers.Embedding{
		"struct base": {{Whole: "middle_t", Path: ".base"}, {Whole: "struct last", Path: ".middle.base"}},
		"middle_t":    {{Whole: "struct last", Path: ".middle"}},
		"struct link": {{Whole: "struct job", Path: ".queue.link", Offset: 16},
			{Whole: "struct job", Path: ".all", Offset: 24}},
		"struct event": {{Whole: "struct key"}},
	}
	if diff := cmp.Diff(want, drivers.Embeddings(units)); diff != "" {
		t.Error(diff)
	}
}

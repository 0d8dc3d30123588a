package linkage

import (
	"maps"
	"slices"
	"testing"

	"klabel/csource"
)

// What may deal with files is found through calls, tables of functions and other files.
func TestFiling(t *testing.T) {
	load := loader(t)
	units := []*csource.Unit{load(`#include <stdio.h>
FILE *log_open(const char *path) { return fopen(path, "a"); }
static int size(void) { return 3; }
int (*sizes[])(void) = { size };
int all(int i) { return sizes[i](); }
`), load(`#include <sys/stat.h>
void *log_open(const char *);
static int named(const char *name) { return log_open(name) != 0; }
static int there(const char *name) { struct stat s; return stat(name, &s) == 0; }
int (*const checks[])(const char *) = { there };
int check(int i, const char *name) { return checks[i](name); }
int start(void) { return named("log"); }
int plain(int open) { return open; }
static int rename(int x) { return x; }
int again(int x) { return rename(x); }
`)}
	var got []string
	for at := range maps.Keys(Filing(units, CallsOf(units))) {
		if units[at.Unit].Function(at.Name) != nil {
			got = append(got, at.Name)
		}
	}
	slices.Sort(got)
	if want := []string{"check", "log_open", "named", "start", "there"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

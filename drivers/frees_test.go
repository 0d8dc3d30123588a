package drivers_test

import "testing"

// Where memory is released, what is promised to stay is no memory to release, unless the promise is not kept.
func TestPromisedNotToBeFreed(t *testing.T) {
	b := newBench(t)
	for code, heap := range map[string]bool{
		`void f(char **to, const char *v) { if (v) free(*to), *to = v[0] == 'x' ? malloc(3) : 0; }`:      false,
		`void f(char **to, char *v) { if (v) free(*to), *to = v[0] == 'x' ? malloc(3) : 0; }`:            true,
		`void f(char **to, const char *v) { free(*to); *to = 0; free((void *)v); }`:                      true,
		`void f(char **to, const char *v) { char *w = (char *)v; free(*to); *to = 0; free(w); }`:         true,
		`void g(const char *p) { free((char *)p); } void f(char **to, const char *v) { *to = 0; g(v); }`: true,
	} {
		d := b.driverOf(t, "#include <stdlib.h>\n"+code)
		in := d.Entries[0].Inputs.Inputs[1]
		if got := in.Targets[len(in.Targets)-1].Heap; in.Name != "v" || got != heap {
			t.Errorf("%s: %s from malloc: %v, want %v", code, in.Name, got, heap)
		}
	}
}

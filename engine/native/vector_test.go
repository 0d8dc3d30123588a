package native

import (
	"fmt"
	"testing"
)

// TestSignMask holds the masks of signs of vectors against their definition, for
// all inputs: no label is left that says otherwise.
func TestSignMask(t *testing.T) {
	for _, c := range []struct{ kind, load, mask, lane string }{
		{"float", "_mm_loadu_ps(v)", "_mm_movemask_ps", "4"},
		{"double", "_mm_loadu_pd(v)", "_mm_movemask_pd", "2"},
		{"signed char", "_mm_loadu_si128((const __m128i *)v)", "_mm_movemask_epi8", "16"},
	} {
		text := fmt.Sprintf(`#include <emmintrin.h>
#include <klee/klee.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    %[1]s v[%[4]s];
    unsigned char bytes[sizeof v];
    int mask, want = 0, i;
    klee_make_symbolic(v, sizeof v, "v");
    memcpy(bytes, v, sizeof v);
    mask = %[3]s(%[2]s);
    for (i = 0; i < %[4]s; i++)
        want |= (bytes[(i + 1) * sizeof v[0] - 1] >> 7) << i;
    L(mask != want, 1)
    L(mask == 2, 2)
    return 0;
}
`, c.kind, c.load, c.mask, c.lane)
		dir, rep := explore(t, []string{"--greybox"}, compile(t, writeC(t, text)))
		if covered := coveredLabels(t, dir); !rep.Complete || len(rep.Infeasible) != 1 || rep.Infeasible[0] != 1 ||
			covered["2"] == "" {
			t.Errorf("%s: complete %v, infeasible %v, covered %v, %v", c.mask, rep.Complete, rep.Infeasible, covered,
				rep.Notes)
		}
	}
}

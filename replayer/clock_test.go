package replayer

import (
	"fmt"
	"testing"
)

// A test that is replayed again finds the same time, whenever that is, and who waits for a
// moment comes to it.
func TestClockIsTheSameInEachRun(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
#include <sys/time.h>
#include <time.h>
int main(void)
{
    struct timeval now;
    time_t begin = time(NULL), end;
    if (gettimeofday(&now, NULL) == 0 && now.tv_usec == 2000 && now.tv_sec == begin)
        klabel_hit(1);
    if (clock() == 3 * CLOCKS_PER_SEC / 1000)
        klabel_hit(2);
    while (time(&end) < begin + 3)
        ;
    if (end == begin + 3)
        klabel_hit(3);
    return 0;
}
`, true)})
	v, err := p.Replay(t.Context(), 0, test())
	if got := fmt.Sprintf("%v %s", v.Hits, v.Outcome); err != nil || got != "[1 2 3] normal" {
		t.Errorf("%v, %s", err, got)
	}
}

package replayer

import (
	"testing"
	"time"

	"klabel/label"
	"klabel/toolchain"
)

// Memory of a process that has left the session, and memory of no process, is the
// run's all the same.
func TestHiddenMemory(t *testing.T) {
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	binary := build(t, `
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>
enum { SIZE = 8 << 20 };
int main(void)
{
    int way = klee_int("way"), i;
    if (way == 0 && fork() == 0) {
        setsid();
        for (i = 0; i < 50; i++) memset(malloc(SIZE), 1, SIZE);
        for (;;) pause();
    }
    for (i = 0; way == 1 && i < 50; i++) {
        char *p = shmat(shmget(IPC_PRIVATE, SIZE, 0600), NULL, 0);
        if (p != (char *)-1) { memset(p, 1, SIZE); shmdt(p); }
    }
    for (;;) pause();
}`, false, "-D_GNU_SOURCE")
	p := newPool(t, Options{Binary: binary, MaxID: 1, TestTimeout: 30 * time.Second, MemoryMB: 200})
	for way := range int32(2) {
		v, err := p.Replay(t.Context(), 0, test(i32("way", way)))
		if err != nil || v.Outcome != label.OutOfMemory {
			t.Errorf("way %d: %+v, %v", way, v, err)
		}
	}
}

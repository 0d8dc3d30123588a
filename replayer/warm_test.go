package replayer

import (
	"context"
	"testing"
	"time"
)

// After Warm each server is there, and waits for its first test; of a closed pool none is started.
func TestWarm(t *testing.T) {
	p := busyPool(t, Options{Workers: 2})
	p.Warm(t.Context())
	if !p.watch.opened {
		t.Error("nobody has asked whether runs can be watched")
	}
	for range p.Workers() {
		w := <-p.idle
		defer func() { p.idle <- w }()
		if w.process == nil {
			t.Errorf("%s has no server", w.dir)
			continue
		}
		pid := w.process.Pid()
		if _, _, err := w.replay(t.Context(), 0, test(i32("n", 2)), p.opts.TestTimeout); err != nil ||
			w.process.Pid() != pid {
			t.Errorf("%s: the server that was started did not replay: %v", w.dir, err)
		}
	}
}

func TestWarmClosed(t *testing.T) {
	p := busyPool(t, Options{Workers: 2})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p.Warm(t.Context())
	for range p.Workers() {
		w := <-p.idle
		defer func() { p.idle <- w }()
		if w.process != nil {
			t.Errorf("%s has a server after the end", w.dir)
		}
	}
}

// Warm ends with its context, whatever the program does before main.
func TestWarmInterrupted(t *testing.T) {
	binary := build(t, `
__attribute__((constructor)) static void begins(void) { for (;;) pause(); }
int main(void) { return klee_int("n"); }`, false)
	p := newPool(t, Options{Binary: binary, Workers: 2, StartLimit: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	p.Warm(ctx) // or for an hour
}

package campaign

import (
	"bytes"
	"os"
	"testing"

	"klabel/store"
	"klabel/store/storetest"
)

// Of many entries the replay programs are kept compressed, those of a single one as
// they are; verify reads both, and only what klabel has built.
func TestPack(t *testing.T) {
	l := layout{dir: t.TempDir()}
	if err := l.make(); err != nil {
		t.Fatal(err)
	}
	program := bytes.Repeat([]byte("program "), 1000)
	for _, name := range []string{"replay", "replay-image2", "replay.c"} {
		if err := os.WriteFile(l.work(name), program, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	read := func(want string) {
		t.Helper()
		b, err := unpack(l.work("replay-image2"), checksum(program))
		if got := err == nil && bytes.Equal(b, program); got != (want == "program") {
			t.Errorf("want %s, got %d bytes, %v", want, len(b), err)
		}
	}
	if err := l.pack(false); err != nil || !exists(l.work("replay")) {
		t.Errorf("a single program is packed, or %v", err)
	}
	read("program")
	if err := l.pack(true); err != nil || exists(l.work("replay")) || exists(l.work("replay-image2")) ||
		!exists(l.work("replay.gz")) || !exists(l.work("replay.c")) {
		t.Errorf("not packed: %v", err)
	}
	read("program")
	if fi, err := os.Stat(l.work("replay-image2" + packed)); err != nil || fi.Size() > int64(len(program))/10 {
		t.Errorf("packed to %v, %v", fi, err)
	}
	// What stands in its place is returned, for whoever checks its sum to refuse.
	if err := os.WriteFile(l.work("replay-image2"+packed), []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	read("nothing")
	if err := os.Remove(l.work("replay-image2" + packed)); err != nil {
		t.Fatal(err)
	}
	read("nothing")
}

// A run that is killed between noting a replay program and putting it in the place of
// the one before leaves a directory that can be verified, and so does the next one that
// is killed before it has built another.
func TestReplayProgramThatHasNoPlaceYet(t *testing.T) {
	l := layout{dir: t.TempDir()}
	if err := l.make(); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(l.work(name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	st := storetest.Open(t, l.dir, store.Options{})
	c := &session{layout: l, st: st}
	held := func(want string) {
		t.Helper()
		snap, err := st.Snapshot()
		if err != nil || len(snap.Replays) != 1 {
			t.Fatalf("%+v, %v", snap.Replays, err)
		}
		if b, err := unpack(snap.Replays[0].File, snap.Replays[0].Sum); err != nil || string(b) != want {
			t.Errorf("the program is %q, %v, want %q", b, err, want)
		}
	}
	write("replay"+upcoming, "one")
	if err := c.noteReplay(l.work("replay"), &image{}); err != nil || exists(l.work("replay"+upcoming)) {
		t.Fatal(err)
	}
	held("one")
	// Killed when the next one is built, and when it is noted.
	write("replay"+upcoming, "two")
	held("one")
	two := store.ReplayProgram{File: l.work("replay"), Sum: checksum([]byte("two"))}
	if err := st.SetReplays([]store.ReplayProgram{two}); err != nil {
		t.Fatal(err)
	}
	held("two")
	if err := c.settleReplays(); err != nil {
		t.Fatal(err)
	}
	write("replay"+upcoming, "three")
	held("two")
}

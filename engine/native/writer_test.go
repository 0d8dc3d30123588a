package native

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"klabel/engine/native/exec"
	"klabel/ktest"
)

// What was handed over is on disk when the writer is closed, numbered in that order.
func TestWriter(t *testing.T) {
	const n = 3 * waitingTests
	w := writer{dir: t.TempDir(), args: []string{"p"}}
	for i := range n {
		one := &exec.Test{Objects: []exec.Object{{Name: "x", Data: []byte{byte(i)}}}}
		if i%2 == 1 {
			one.Suffix, one.Text = "assert.err", "Error: one\n"
		}
		if err := w.put(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(); err != nil || w.written != n {
		t.Fatalf("%d of %d tests written: %v", w.written, n, err)
	}
	got, err := ktest.ReadFile(filepath.Join(w.dir, "test000100.ktest"))
	if err != nil || got.Objects[0].Data[0] != 99 {
		t.Errorf("test 100: %v, %v", got, err)
	}
	if b, err := os.ReadFile(filepath.Join(w.dir, "test000100.assert.err")); err != nil || string(b) != "Error: one\n" {
		t.Errorf("its error: %q, %v", b, err)
	}
	if err := w.close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// An exploration whose tests are lost is told, and does not wait for room.
func TestWriterFails(t *testing.T) {
	w := writer{dir: filepath.Join(t.TempDir(), "gone")}
	defer w.close()
	for end := time.Now().Add(2 * time.Minute); w.put(&exec.Test{}) == nil; {
		if time.Now().After(end) {
			t.Fatal("nobody says that no test is written")
		}
	}
	if w.close() == nil || w.written != 0 {
		t.Errorf("%d tests are said to be written", w.written)
	}
}

// What goes wrong with the last tests, when no path is left that could be told,
// forbids every claim, too.
func TestLastTestIsLost(t *testing.T) {
	var kept, lost report
	stats := &exec.Stats{Infeasible: []uint32{7}}
	conclude(&kept, stats, true, nil)
	conclude(&lost, stats, true, os.ErrNotExist)
	if !kept.Complete || len(kept.Infeasible) != 1 || len(kept.Notes) > 0 {
		t.Errorf("nothing is lost: %+v", kept)
	}
	if lost.Complete || len(lost.Infeasible) > 0 || len(lost.Notes) != 1 {
		t.Errorf("a test is lost: %+v", lost)
	}
}

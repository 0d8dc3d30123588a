package native

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"klabel/engine/native/exec"
	"klabel/ktest"
)

// writer writes tests beside the exploration. Making a file is work of the kernel's
// that takes longer than most paths; done in between it would be a third of the
// engine's time and more. Tests are written one after another, each to its end: the
// next one's file says that this one is whole.
type writer struct {
	dir     string
	args    []string
	queue   chan *exec.Test // nil: there was no test yet, or there is none any more
	left    chan struct{}   // closed when nothing more is written
	written uint64
	failure atomic.Pointer[error] // of the first test that could not be written; there are none behind it
}

// waitingTests is how many may wait; an exploration that is further ahead waits, too.
// What waits is lost when the process is killed.
const waitingTests = 64

// put takes a test over, or says why an earlier one could not be written.
func (w *writer) put(t *exec.Test) error {
	if err := w.failed(); err != nil {
		return err
	}
	if w.queue == nil {
		w.queue, w.left = make(chan *exec.Test, waitingTests), make(chan struct{})
		go w.run()
	}
	w.queue <- t
	return nil
}

func (w *writer) run() {
	defer close(w.left)
	for t := range w.queue {
		if w.failed() != nil {
			continue
		}
		if err := w.write(t); err != nil {
			w.failure.Store(&err)
		}
	}
}

// close waits for the tests that were put, and says whether all are written. It may
// be called more than once.
func (w *writer) close() error {
	if w.queue != nil {
		close(w.queue)
		<-w.left
		w.queue = nil
	}
	return w.failed()
}

func (w *writer) failed() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// write writes a test: first the inputs, then what tells its kind.
func (w *writer) write(t *exec.Test) error {
	name := filepath.Join(w.dir, fmt.Sprintf("test%06d.", w.written+1))
	k := &ktest.Test{Args: w.args}
	for _, x := range t.Objects {
		k.Objects = append(k.Objects, ktest.Object{Name: x.Name, Data: x.Data})
	}
	if err := os.WriteFile(name+"ktest", k.Bytes(), 0o644); err != nil {
		return err
	}
	w.written++
	if t.Suffix == "" {
		return nil
	}
	return os.WriteFile(name+filepath.Base(t.Suffix), []byte(t.Text), 0o644)
}

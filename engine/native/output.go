package native

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"klabel/disk"
	"klabel/engine/native/exec"
)

// output is the directory of a run, in KLEE's form: testNNNNNN.ktest and then
// its suffix file, info, messages.txt, warnings.txt; and stats.json, which the
// engine's wrapper reads.
type output struct {
	dir      string
	args     []string
	tests    writer
	stderr   io.Writer
	messages *os.File
	warnings *os.File
}

func newOutput(dir string, args []string, stderr io.Writer) (*output, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("output directory: %w", err)
	}
	o := &output{dir: dir, args: args, tests: writer{dir: dir, args: args}, stderr: stderr}
	var err error
	if o.messages, err = os.Create(filepath.Join(dir, "messages.txt")); err != nil {
		return nil, err
	}
	if o.warnings, err = os.Create(filepath.Join(dir, "warnings.txt")); err != nil {
		return nil, err
	}
	return o, nil
}

func (o *output) close() {
	_ = o.tests.close() // who cares for tests has asked before
	o.messages.Close()
	o.warnings.Close()
}

// Test hands a test to the writer. An error is that of an earlier test.
func (o *output) Test(t *exec.Test) error { return o.tests.put(t) }

// Message and Warning go to the files and to standard error, as KLEE's do.
func (o *output) Message(line string) {
	fmt.Fprintf(o.messages, "KLEE: %s\n", line)
	fmt.Fprintf(o.stderr, "KLEE: %s\n", line)
}

func (o *output) Warning(line string) {
	fmt.Fprintf(o.warnings, "KLEE: WARNING: %s\n", line)
	fmt.Fprintf(o.stderr, "KLEE: WARNING: %s\n", line)
}

// report is stats.json.
type report struct {
	Version      string            `json:"version"`
	Paths        uint64            `json:"paths"`
	Completed    uint64            `json:"completed"`
	Partial      uint64            `json:"partial"`
	Instructions uint64            `json:"instructions"`
	Queries      uint64            `json:"queries"`
	SATQueries   uint64            `json:"sat_queries"`
	SATSeconds   float64           `json:"sat_seconds"`
	Tests        uint64            `json:"tests"`
	Seeds        uint64            `json:"seeds,omitempty"`    // that led to a path
	Merged       uint64            `json:"merged,omitempty"`   // branches that were no forks
	Rejoined     uint64            `json:"rejoined,omitempty"` // paths that came to where another had been
	MaxStates    int               `json:"max_states"`
	Seconds      float64           `json:"seconds"`
	Complete     bool              `json:"complete"`
	Finished     bool              `json:"finished"`
	Infeasible   []uint32          `json:"infeasible,omitempty"`
	Awaited      []uint32          `json:"awaited,omitempty"`
	Undecided    map[uint32]string `json:"undecided,omitempty"`
	Notes        []string          `json:"notes,omitempty"`
	// Of a test that was replayed.
	Replayed *exec.Replayed `json:"replayed,omitempty"`
	Error    string         `json:"error,omitempty"`
}

// writeReport replaces stats.json in one step.
func (o *output) writeReport(r *report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(o.dir, "stats.json"), append(b, '\n'))
}

// writeInfo writes what KLEE leaves in its info file.
func (o *output) writeInfo(started time.Time, r *report) error {
	text := fmt.Sprintf("%s\nPID: %d\nStarted: %s\nFinished: %s\nElapsed: %s\n", join(o.args), os.Getpid(),
		started.Format(time.DateTime), time.Now().Format(time.DateTime), time.Since(started).Round(time.Millisecond))
	text += fmt.Sprintf("KLEE: done: explored paths = %d\nKLEE: done: total queries = %d\n", r.Paths, r.Queries) +
		totals(r)
	return os.WriteFile(filepath.Join(o.dir, "info"), []byte(text), 0o644)
}

func totals(r *report) string {
	return fmt.Sprintf("\nKLEE: done: total instructions = %d\nKLEE: done: completed paths = %d\n"+
		"KLEE: done: partially completed paths = %d\nKLEE: done: generated tests = %d\n",
		r.Instructions, r.Completed, r.Partial, r.Tests)
}

func join(args []string) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += " "
		}
		s += a
	}
	return s
}

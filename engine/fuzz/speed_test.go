package fuzz

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"klabel/engine"
)

// BenchmarkRuns says how often small functions run for each second of a processor, with all
// that is around a run: inputs are made, variables and the heap put back, labels looked at.
func BenchmarkRuns(b *testing.B) {
	if found.clang == nil {
		b.Skip("no libFuzzer")
	}
	bin := filepath.Join(b.TempDir(), "fuzzed")
	im := Image{Sources: []Source{{File: "testdata/small.c"}}, Symbols: []string{"triangle", "step"}, MaxID: 200,
		Numbers: []uint64{100000}}
	if err := Build(b.Context(), found.clang, im, bin); err != nil {
		b.Fatal(err)
	}
	for _, entry := range im.Symbols {
		b.Run(entry, func(b *testing.B) {
			const start = 2000 // what a process does before it runs inputs is little of so many
			r := &run{options: engine.Options{Corpus: b.TempDir(), Seed: 5,
				ExtraArgs: []string{fmt.Sprintf("-runs=%d", start+b.N)}}}
			cmd := exec.CommandContext(b.Context(), bin, r.arguments(0)...)
			cmd.Dir, cmd.Env = b.TempDir(), []string{"LC_ALL=C", "KLABEL_ENTRY=" + entry}
			null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer null.Close()
			cmd.ExtraFiles = []*os.File{null, null, null}
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
			took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			b.ReportMetric(float64(start+b.N)/took.Seconds(), "runs/cpu-s")
		})
	}
}

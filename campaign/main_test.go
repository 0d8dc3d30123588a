package campaign

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"klabel/engine/native"
	"klabel/engine/playback"
	"klabel/toolchain"
)

// TestMain lets the test binary stand for the native engine's process, and for
// KLEE when it is called by that name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "klee" {
		os.Exit(playback.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	if len(os.Args) > 1 && os.Args[1] == native.Subcommand {
		os.Exit(native.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// testTools finds the tools of this machine; without a clang the test is skipped.
func testTools(t testing.TB, kleePath string) *toolchain.Tools {
	t.Helper()
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{KLEE: kleePath})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("SKIPPED: no clang on this machine")
	}
	return tools
}

// realKLEE is the path of a KLEE; without one the test says that it is skipped.
func realKLEE(t testing.TB) string {
	t.Helper()
	if p := os.Getenv("KLABEL_KLEE"); p != "" {
		return p
	}
	p, err := exec.LookPath("klee")
	if err != nil {
		t.Skip("SKIPPED: no KLEE in KLABEL_KLEE or on PATH; nothing about KLEE is proved by this run")
	}
	return p
}

// notebook is an Observer that remembers.
type notebook struct {
	mu     sync.Mutex
	stages []string
	notes  []string
	last   Progress

	onStage    func(string)
	onProgress func(Progress)
}

func (n *notebook) Stage(s string) {
	n.mu.Lock()
	n.stages = append(n.stages, s)
	n.mu.Unlock()
	if n.onStage != nil {
		n.onStage(s)
	}
}

func (n *notebook) Progress(p Progress) {
	n.mu.Lock()
	n.last = p
	n.mu.Unlock()
	if n.onProgress != nil {
		n.onProgress(p)
	}
}

func (n *notebook) Note(s string) {
	n.mu.Lock()
	n.notes = append(n.notes, s)
	n.mu.Unlock()
}

func (n *notebook) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.notes, "\n")
}

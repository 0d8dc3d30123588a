package replayer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/runtime_c"
)

// TestProtocol holds the numbers of this package to those of the C side: a
// program that states them compiles with replay.h, and one that states another
// does not.
func TestProtocol(t *testing.T) {
	offsets := map[string]int{
		"version": offVersion, "labels": offLabels, "input_size": offInputSize, "test_length": offTestLength,
		"timeout_ms": offTimeout, "memory_mb": offMemory, "file_mb": offFile, "processes": offProcesses,
		"entry": offEntry, "input_offset": offInput, "end": offEnd, "signal": offSignal, "exit_status": offExit,
		"hits": offHits, "too_big": offTooBig, "dirty": offDirty, "beyond": offBeyond, "output_head": offHead,
		"output_tail": offTail, "output_lost": offLost, "nanoseconds": offNanoseconds, "reason": offReason,
		"asked_length": offAsked, "asked_lost": offAskedLost, "read_to": offReadTo,
	}
	numbers := map[string]int{
		"sizeof(((struct klabel_shm *)0)->reason)": reasonSize,
		"REASON_SIZE": reasonSize, "ASKED_SIZE": askedSize, "OUTPUT_SIZE": outputSize, "SHM_HEADER": shmHeader,
		"SHM_VERSION": shmVersion, "sizeof(struct klabel_asked)": askedHead,
		"END_NORMAL": endNormal, "END_SIGNAL": endSignal, "END_SANITIZER": endSanitizer, "END_ABORT": endAbort,
		"END_TIMEOUT": endTimeout, "END_MEMORY": endMemory, "END_DIVERGED": endDiverged, "END_REPORTED": endReported,
		"END_BROKEN": endBroken,
	}
	var stated strings.Builder
	state := func(what string, n int) { fmt.Fprintf(&stated, "_Static_assert(%s == %d, \"%s\");\n", what, n, what) }
	for field, at := range offsets {
		state("offsetof(struct klabel_shm, "+field+")", at)
	}
	for what, n := range numbers {
		state(what, n)
	}
	dir := t.TempDir()
	paths, err := runtime_c.Extract(dir)
	if err != nil {
		t.Fatal(err)
	}
	compile := func(text string) error {
		c := filepath.Join(dir, "numbers.c")
		header := filepath.Join(filepath.Dir(paths.Exported), "replay.h")
		if err := os.WriteFile(c, fmt.Appendf(nil, "#include %q\n%s", header, text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := clang(t).CheckSyntax(t.Context(), c, nil)
		return err
	}
	if err := compile(stated.String()); err != nil {
		t.Errorf("protocol.go and replay.h disagree: %v", err)
	}
	stated.Reset()
	state("offsetof(struct klabel_shm, hits)", offHits+4)
	if compile(stated.String()) == nil {
		t.Error("a wrong number compiles: the test can see nothing")
	}
}

// Who has the file of the memory that klabel reads cannot take it away: that would be
// a signal that ends klabel.
func TestSharedMemoryKeepsItsSize(t *testing.T) {
	s, err := newSharedMemory(Options{MaxID: 9}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if s.file.Truncate(0) == nil || s.file.Truncate(1<<40) == nil {
		t.Error("the file can change its size")
	}
}

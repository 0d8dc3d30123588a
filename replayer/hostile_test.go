package replayer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/label"
	"klabel/toolchain"
)

// ends are the numbers of testdata/hostile that must not end normally, with how they do.
var ends = map[int][]label.Outcome{
	3:  {label.OutOfMemory, label.TimedOut, label.Crashed},
	16: {label.Crashed},
	24: {label.TimedOut},
	25: {label.TimedOut, label.Crashed},
	26: {label.TimedOut},
	27: {label.OutOfMemory, label.TimedOut, label.Crashed},
	28: {label.Crashed},
	29: {label.TimedOut},
	30: {label.Crashed},
	32: {label.Normal, label.Crashed}, // no processor time is left: the next tick may kill
	36: {label.TimedOut},
	37: {label.Normal, label.Crashed}, // a pipe may have lost its reader
	39: {label.Crashed},
	40: {label.Crashed},
	41: {label.Crashed},
	42: {label.Normal, label.Crashed},
	44: {label.Normal, label.Crashed, label.TimedOut}, // it returns to anywhere
	46: {label.TimedOut},
	47: {label.Normal, label.TimedOut}, // as the machine is fast
	48: {label.TimedOut},
	50: {label.TimedOut, label.Crashed},
	51: {label.TimedOut},
	54: {label.Crashed},
	60: {label.OutOfMemory, label.TimedOut, label.Crashed},
	67: {label.Normal, label.OutOfMemory, label.TimedOut},
	68: {label.OutOfMemory, label.TimedOut},
	69: {label.Normal, label.TimedOut},
	79: {label.Crashed},
	82: {label.Crashed},
	87: {label.Normal, label.OutOfMemory, label.TimedOut},
	93: {label.Normal, label.TimedOut}, // as the machine is fast
	94: {label.Normal, label.TimedOut},
	96: {label.Crashed, label.Aborted},

	103: {label.Normal, label.Crashed}, // threads that nobody has set up
	105: {label.Crashed},
	106: {label.Normal, label.Crashed},                     // a pipe may have lost its reader
	107: {label.Normal, label.TimedOut},                    // as the machine is fast
	109: {label.Normal, label.OutOfMemory, label.TimedOut}, // too many at a time, or too many for a slow machine
	110: {label.Normal, label.OutOfMemory},
	117: {label.Normal, label.Crashed}, // as the kernel lets it
	119: {label.Normal, label.TimedOut},
	120: {label.Normal, label.TimedOut}, // as the machine is fast
	125: {label.Crashed},
	126: {label.Normal, label.TimedOut},
	133: {label.Aborted},
	134: {label.SanitizerErr}, // it says so itself
	141: {label.Normal, label.Crashed},
	142: {label.Normal, label.Crashed},
	143: {label.Crashed},
}

// hostileWays is how many numbers testdata/hostile knows, 0 included.
const hostileWays = 145

func TestHostilePrograms(t *testing.T) {
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	victim := filepath.Join(t.TempDir(), "victim")
	if home, err := os.MkdirTemp("/var", "klabel-test-"); err == nil { // where files are not hidden
		defer os.RemoveAll(home)
		victim = filepath.Join(home, "victim")
	}
	if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs("testdata/hostile")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "#include \"hostile.c\"\n", false, "-I", dir, "-D_GNU_SOURCE", "-DHIT=klabel_hit",
		"-DVICTIM=\""+victim+"\"", "-DPID="+strconv.Itoa(os.Getpid()), "-w")
	p := newPool(t, Options{Binary: binary, MaxID: 60, TestTimeout: 700 * time.Millisecond, MemoryMB: 200,
		Processes: 16, FileMB: 8})
	replay := func(way int) label.Verdict {
		v, err := p.Replay(t.Context(), 0, test(i32("way", int32(way))))
		if err != nil {
			t.Fatalf("way %d: %v", way, err)
		}
		return v
	}
	for way := 1; way < hostileWays; way++ {
		if way == 3 && os.Geteuid() == 0 && !ownProcessNumbers() {
			continue // nothing but the server bounds root's processes there
		}
		began := time.Now()
		v := replay(way)
		t.Logf("way %d: %v, %v: %v %s", way, time.Since(began).Round(time.Millisecond), v.Outcome, v.Hits, v.Reason)
		for _, id := range v.Hits {
			if id != 2 {
				t.Errorf("way %d: label %d is hit", way, id)
			}
		}
		want, fails := ends[way]
		if !fails {
			want = []label.Outcome{label.Normal}
		}
		for again := 0; again < 3 && v.Outcome == label.TimedOut && !slices.Contains(want, label.TimedOut); again++ {
			v = replay(way) // a busy machine
		}
		if !slices.Contains(want, v.Outcome) {
			t.Errorf("way %d: %+v, want one of %v", way, v, want)
		}
		if v = replay(0); v.Outcome == label.TimedOut {
			v = replay(0) // a busy machine
		}
		if v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{1}) {
			t.Errorf("after way %d: %+v", way, v)
		}
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the user's file: %q, %v", b, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	// Nothing of the program is left.
	for range 3000 {
		if len(processes(binary))+len(processes("sleep\x0097.31")) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("left: %v %v", processes(binary), processes("sleep\x0097.31"))
}

// processes lists those whose command line holds the text.
func processes(text string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), text) {
			pids = append(pids, f)
		}
	}
	return pids
}

// ownProcessNumbers reports whether a process namespace bounds the number of its
// processes.
func ownProcessNumbers() bool {
	var u unix.Utsname
	var major, minor int
	if unix.Uname(&u) != nil {
		return false
	}
	n, _ := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	return n == 2 && (major > 6 || major == 6 && minor >= 14)
}

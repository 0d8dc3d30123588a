package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/disk"
	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

// roleEnv turns the test binary into a helper process.
const roleEnv = "KLABEL_STORE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "writer":
		writer(os.Args[1], os.Args[2])
	case "small":
		small(os.Args[1])
	default:
		os.Exit(m.Run())
	}
}

const crashLabels = 4000

// writer covers labels from a given one on, from several goroutines, and says
// which ones are committed, until it is killed.
func writer(dir, from string) {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	if err := s.SetLabels(labels(crashLabels)); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for _, err := range storetest.Violations(s) {
		fmt.Println("error", err)
	}
	start, _ := strconv.Atoi(from)
	var mu sync.Mutex
	for g := range 4 {
		go func() {
			for i := start + g; i <= crashLabels; i += 4 {
				id := label.ID(i)
				var err error
				if i%5 == 0 {
					_, err = s.Mark(id, label.Infeasible, store.Reason{Method: "eva"})
				} else {
					_, err = s.Record(result(fmt.Sprint("t", i), id))
				}
				mu.Lock()
				if err != nil {
					fmt.Println("error", err)
				} else {
					fmt.Println(i)
				}
				mu.Unlock()
			}
		}()
	}
	time.Sleep(time.Minute)
}

func helper(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), roleEnv+"="+role)
	c.Stderr = os.Stderr
	return c
}

func TestKillLosesNothingThatWasCommitted(t *testing.T) {
	dir := t.TempDir()
	committed := map[label.ID]bool{}
	next := 1
	rounds := 16
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		c := helper(t, "writer", dir, strconv.Itoa(next))
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(out)
		// Now while it opens the store, now some time after its first commit.
		delay := time.Duration(10+11*round) * time.Millisecond
		kill := func() { c.Process.Kill() }
		var timer *time.Timer
		if round%3 == 0 {
			timer = time.AfterFunc(delay, kill)
		}
		for sc.Scan() {
			if timer == nil {
				timer = time.AfterFunc(delay, kill)
			}
			id, err := strconv.Atoi(sc.Text())
			if err != nil {
				t.Errorf("round %d: %s", round, sc.Text())
				continue
			}
			committed[label.ID(id)] = true
			next = max(next, id+1)
		}
		c.Wait()
		if timer != nil {
			timer.Stop()
		}

		s, err := store.Open(dir, store.Options{})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		storetest.Check(t, s)
		for id := range committed {
			if st, _ := s.Status(id); !st.Status.Resolved() {
				t.Errorf("round %d: label %d was committed, now it is %v", round, id, st.Status)
			}
		}
		before, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		storetest.Reopened(t, dir, before)
		if t.Failed() {
			return
		}
		if next >= crashLabels-10 {
			break
		}
	}
	if len(committed) == 0 {
		t.Error("no helper committed anything: nothing was tested")
	}
	t.Logf("%d labels committed over the kills", len(committed))
}

func TestLockNamesTheOtherProcessAndEndsWithIt(t *testing.T) {
	dir := t.TempDir()
	c := helper(t, "writer", dir, "1")
	out, _ := c.StdoutPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n') // it holds the store now
	_, err := store.Open(dir, store.Options{})
	var le *store.LockedError
	if !errors.As(err, &le) || le.PID != c.Process.Pid ||
		!strings.Contains(err.Error(), fmt.Sprintf("(process %d)", le.PID)) {
		t.Errorf("got %v, want the lock of process %d", err, c.Process.Pid)
	}
	c.Process.Kill()
	c.Wait()
	storetest.Open(t, dir, store.Options{})
}

// small fills a store under a low limit on file sizes, which stands in for a
// full disk, and checks that it stays whole.
func small(dir string) {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	if err := s.SetLabels(labels(500)); err != nil {
		fmt.Println("labels:", err)
		os.Exit(1)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 256 << 10, Max: unix.RLIM_INFINITY}); err != nil {
		fmt.Println("limit:", err)
		os.Exit(1)
	}
	stop := fill(s)
	fmt.Println("stopped:", stop)
	for _, err := range storetest.Violations(s) {
		fmt.Println("violated:", err)
	}
	unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY})
	if _, err := s.Record(result("after", 500)); err != nil {
		fmt.Println("afterwards:", err)
	}
	if err := s.Close(); err != nil {
		fmt.Println("close:", err)
	}
	os.Exit(0)
}

// fill records tests until that fails, and returns how.
func fill(s *store.Store) error {
	for i := range 100000 {
		r := result(fmt.Sprint("t", i), label.ID(i%499+1))
		r.File = strings.Repeat("x", 2000)
		if newly, err := s.Record(r); err != nil {
			if len(newly) > 0 {
				return fmt.Errorf("%v new in spite of %w", newly, err)
			}
			return err
		}
	}
	return nil
}

func TestFileLimitIsAnErrorAndLosesNothing(t *testing.T) {
	dir := t.TempDir()
	c := helper(t, "small", dir)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := string(out)
	if !strings.HasPrefix(text, "stopped: ") || !strings.Contains(text, "file too large") ||
		strings.Count(text, "\n") != 1 {
		t.Errorf("got\n%s", text)
	}
	s := storetest.Open(t, dir, store.Options{})
	if st, _ := s.Status(500); st.Status != label.Covered {
		t.Error("the store cannot be written once there is room again")
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetLabels(labels(500)); err != nil {
		t.Fatal(err)
	}
	err = fill(s)
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(disk.Advice(err), "free some space") {
		t.Errorf("got %v", err)
	}
	storetest.Check(t, s)
	before, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	// A full disk must not keep what is there from being read.
	again, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Logf("open on the full disk: %v", err)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Error(err)
		}
	} else {
		again.Close()
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, "size=4m"); err != nil {
		t.Fatal(err)
	}
	storetest.Reopened(t, dir, before)
}

func TestDirectoryThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(file, store.Options{}); err == nil || !strings.Contains(err.Error(), "must not be a file") {
		t.Errorf("a file as directory: %v", err)
	}
	if _, err := store.Open("/proc/no/such", store.Options{}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a directory that cannot be made: %v", err)
	}
	if os.Geteuid() != 0 {
		closed := filepath.Join(dir, "closed")
		os.Mkdir(closed, 0o555)
		if _, err := store.Open(closed, store.Options{}); !errors.Is(err, os.ErrPermission) ||
			!strings.Contains(err.Error(), "can be written") {
			t.Errorf("a read-only directory: %v", err)
		}
	}
}

func TestDamagedFileIsSaidToBeSo(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	if err := s.SetLabels(labels(300)); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		record(t, s, result(fmt.Sprint(i), label.ID(i+1)))
	}
	s.Close()
	path := filepath.Join(dir, "klabel.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() []byte{
		"text":  func() []byte { return []byte(strings.Repeat("not a store\n", 2000)) },
		"cut":   func() []byte { return whole[:len(whole)/2] },
		"zeros": func() []byte { return make([]byte, len(whole)) },
		"scrambled": func() []byte {
			b := append([]byte(nil), whole...)
			for i := 2 * os.Getpagesize(); i < len(b); i++ {
				b[i] ^= 0x5a
			}
			return b
		},
	} {
		if err := os.WriteFile(path, damage(), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.Options{})
		if err == nil {
			s.Close()
			t.Errorf("%s: opens", name)
		} else if !errors.Is(err, store.ErrDamaged) || strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%s: %v", name, err)
		}
		s, err = store.Open(dir, store.Options{Fresh: true})
		if err != nil {
			t.Errorf("%s: fresh: %v", name, err)
			continue
		}
		s.Close()
	}
}

// A store that is being made is never an empty file: one that is killed then leaves none
// that would look like a store that has lost everything.
func TestNeverEmpty(t *testing.T) {
	top := t.TempDir()
	stop, looked := make(chan struct{}), make(chan bool)
	var path atomic.Pointer[string]
	go func() {
		empty := false
		for {
			select {
			case <-stop:
				looked <- empty
				return
			default:
			}
			if p := path.Load(); p != nil {
				fi, err := os.Stat(*p)
				empty = empty || err == nil && fi.Size() == 0
			}
		}
	}()
	for i := range 30 {
		dir := filepath.Join(top, strconv.Itoa(i))
		p := filepath.Join(dir, "klabel.db")
		path.Store(&p)
		// What a killed one has left is no hindrance.
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p+disk.Part, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := os.Stat(p + disk.Part); err == nil {
			t.Error("a part is left")
		}
	}
	close(stop)
	if <-looked {
		t.Error("the file of a store that is being made was empty")
	}
}

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"klabel/fault"
)

// Interrupted before anything was found: 130 and one line.
func TestInterruptedEarly(t *testing.T) {
	needClang(t)
	p := example(t, "utf8", "WM")
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		dir := filepath.Join(t.TempDir(), "out")
		cmd, _, stderr := klabelCmd("run", p.File, "--engine", "native", "-o", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		cmd.Process.Signal(sig)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != fault.Interrupted ||
			strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("%v: exit %d, %s", sig, code, stderr)
		}
		if left := leftover(dir, time.Minute); len(left) > 0 {
			t.Errorf("%v: left behind: %q", sig, left)
		}
	}
}

// Asked to end, at any moment of a run with every stage, klabel ends soon and
// leaves no process and no temporary file. How soon is decided by the soak alone,
// and by it only while it has the machine to itself.
func TestInterruptedAtAnyMoment(t *testing.T) {
	needClang(t)
	engines := []string{"native"}
	if findKLEE() != "" {
		engines = append(engines, "klee")
	} else {
		t.Log("SKIPPED: the same with KLEE, which was not found")
	}
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	if n := soak(200); n > 0 {
		engines = append(engines, "fuzz")
		rounds = max(1, n/len(engines))
	}
	for _, eng := range engines {
		t.Run(eng, func(t *testing.T) { interrupt(t, eng, rounds) })
	}
}

func interrupt(t *testing.T, eng string, rounds int) {
	p, budget, whole := example(t, "utf8", "MCC"), "10s", 20*time.Second // of a run, where it is known
	if soak(1) > 0 {                                                     // the stages are the same, and shorter
		p, budget, whole = example(t, "triangle", "MCC"), "3s", 4*time.Second
	}
	out, temp := filepath.Join(t.TempDir(), "out"), t.TempDir()
	args := []string{"run", p.File, "--all-functions", "--criteria", "MCC", "--engine", eng, "-o", out, "--fresh",
		"--budget", budget}
	var slowest time.Duration
	done, mostLoad := 0, 0.0
	for i := 0; done < rounds && i < 3*rounds; i++ {
		cmd, _, stderr := klabelCmd(args...)
		cmd.Env = append(os.Environ(), "TMPDIR="+temp)
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		// The rounds go through the run, each with a moment of its own.
		at := time.Duration((float64(done) + rand.Float64()) / float64(rounds) * float64(whole))
		select {
		case <-ended:
			whole = min(whole, time.Since(begin))
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			continue
		case <-time.After(at):
		}
		done++
		limit, load := endsWithin(t)
		mostLoad = max(mostLoad, load)
		asked := time.Now()
		cmd.Process.Signal([]os.Signal{syscall.SIGTERM, os.Interrupt}[i%2])
		select {
		case <-ended:
		case <-time.After(limit):
			cmd.Process.Kill()
			<-ended
			t.Fatalf("asked to end after %v, at a load of %.1f, it runs on: %s", at, load, stderr)
		}
		took := time.Since(asked)
		slowest = max(slowest, took)
		t.Logf("after %v: ended in %v, exit %d, load %.1f", at.Round(time.Millisecond), took.Round(time.Millisecond),
			cmd.ProcessState.ExitCode(), load)
		// Before klabel listens to signals they end it as any other program.
		early := cmd.ProcessState.ExitCode() == -1 && stderr.Len() == 0 && at < whole/5
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != fault.Interrupted && !early {
			t.Errorf("after %v: exit %d\n%s", at, code, stderr)
		}
		if left := leftover(out, patience); len(left) > 0 {
			t.Errorf("after %v: left behind: %q", at, left)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("after %v: temporary files are left: %v, %v", at, left, err)
		}
	}
	t.Logf("%d interruptions; a run takes %v; the slowest end took %v; load at most %.1f", done, whole, slowest,
		mostLoad)
}

// endsWithin is how long klabel may take to end when it is asked to: three seconds in a
// soak, where that has the machine to itself. It returns the load, too.
func endsWithin(t *testing.T) (time.Duration, float64) {
	t.Helper()
	l := load(t)
	if soak(1) > 0 && l < float64(2*runtime.NumCPU()) {
		return 3 * time.Second, l
	}
	return patience, l
}

// load is how many processes want a processor, over the last minute.
func load(t *testing.T) float64 {
	t.Helper()
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	word, _, _ := strings.Cut(string(b), " ")
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

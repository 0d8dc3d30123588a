package main

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServerRestarted kills a nats-server of its own under real processes, again and again, and
// starts it where it was: coordinator and workers come back by themselves, and each label has
// the status that one process finds.
func TestServerRestarted(t *testing.T) {
	needClang(t)
	nats, err := exec.LookPath("nats-server")
	if err != nil {
		t.Skip("no nats-server")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "many.c")
	var text strings.Builder // of several seconds, so that the server is missed
	for i := range 4 {
		n := fmt.Sprintf("%d(", i)
		text.WriteString(strings.NewReplacer("sign(", "sign"+n, "grade(", "grade"+n, "never(", "never"+n).
			Replace(agreed))
	}
	if err := os.WriteFile(source, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := func(out string) []string { return toTheEnd(source, out) }
	one := filepath.Join(dir, "one")
	if cmd, _, stderr := klabelCmd(flags(one)...); cmd.Run() != nil {
		t.Fatal(stderr)
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	var server *exec.Cmd
	start := func() {
		server = exec.Command(nats, "-js", "-sd", filepath.Join(dir, "streams"), "-a", "127.0.0.1", "-p", port)
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
	}
	kill := func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	start()
	defer func() { kill() }()

	url := "nats://127.0.0.1:" + port
	var workers []*exec.Cmd
	var said []*bytes.Buffer
	for range 2 {
		w, _, stderr := klabelCmd("work", "--join", url, "--jobs", "1", "--once")
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Process.Kill() })
		workers, said = append(workers, w), append(said, stderr)
	}
	for !answers(port) {
		time.Sleep(50 * time.Millisecond)
	}
	out := filepath.Join(dir, "restarted")
	run, _, stderr := klabelCmd(append(flags(out), "--cluster", url)...)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	kills, seen := 0, 0
	for over := false; !over; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			over = true
		case <-time.After(500 * time.Millisecond):
			// Not while the coordinator makes its queues: without a server it says so and ends.
			if queues, _ := filepath.Glob(filepath.Join(dir, "streams", "*", "*", "streams", "*", "obs",
				"*")); len(queues) > 0 {
				seen++
			}
			if seen > 1 && kills < 4 {
				kill()
				kills++
				time.Sleep(300 * time.Millisecond)
				start()
			}
		}
	}
	if kills == 0 {
		t.Error("the campaign was over before the server was killed")
	}
	for i, w := range workers {
		if err := w.Wait(); err != nil {
			t.Errorf("a worker: %v\n%s", err, said[i])
		}
	}
	if got, want := statuses(t, out), statuses(t, one); !maps.Equal(got, want) {
		t.Errorf("with %d restarts: %v, one process: %v", kills, got, want)
	}
}

// answers reports whether somebody listens at a port of this machine.
func answers(port string) bool {
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err == nil {
		c.Close()
	}
	return err == nil
}

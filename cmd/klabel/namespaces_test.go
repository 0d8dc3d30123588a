package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNamespaces runs a campaign on real processes that have a network each: coordinator, and
// workers in namespaces behind a bridge. While it goes on workers and coordinators are killed
// with -9, cables are pulled, and one worker's connections go over a relay that is slow, breaks them, and
// then still delivers what was on its way, so that it comes after what the worker says again. In
// the end the campaign knows what one process knows. KLABEL_CLUSTER_KILLS sets how many die.
func TestNamespaces(t *testing.T) {
	least, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_KILLS"))
	if err != nil {
		t.Skip("SKIPPED: KLABEL_CLUSTER_KILLS is not set (it takes minutes)")
	}
	needClang(t)
	dir := t.TempDir()
	source := filepath.Join(dir, "many.c")
	if err := os.WriteFile(source, manyFunctions(24), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := []string{"run", source, "--all-functions", "--criteria", "MCC,WM", "--engine", "native", "--budget", "20m",
		"--no-random", "--format", "json", "--style", "none"}
	one, stdout, stderr := klabelCmd(append(flags, "-o", filepath.Join(dir, "one"))...)
	if err := one.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	want := counts(t, stdout.Bytes())
	if want["unknown"] != 0 {
		t.Fatalf("the exploration does not finish: %v", want)
	}
	kills, cuts, lost := 0, 0, 0
	for n := 0; kills < least; n++ {
		out := filepath.Join(dir, fmt.Sprint("many", n))
		s := lay(t, dir, 3)
		s.start(append(flags, "-o", out, "--listen", s.addr))
		waitFor(t, filepath.Join(out, "cluster", "secret"))
		for i := range s.workers {
			s.work(i, filepath.Join(out, "cluster", "secret"))
		}
		k, c, l := s.weather(rand.New(rand.NewPCG(uint64(n), 16)))
		kills, cuts, lost = kills+k, cuts+c, lost+l
		if got := counts(t, s.stdout.Bytes()); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, one process: %v\n%s", got, want, s.stderr.String())
		}
		verify, _, stderr := klabelCmd("verify", out)
		if err := verify.Run(); err != nil {
			t.Errorf("verify: %v\n%s", err, stderr)
		}
		s.clear()
	}
	t.Logf("%d workers and %d coordinators killed, %d links cut: %v each time", kills, lost, cuts, want)
}

// manyFunctions is a program whose exploration ends, but not at once.
func manyFunctions(n int) []byte {
	var b bytes.Buffer
	for k := 1; k <= n; k++ {
		fmt.Fprintf(&b, `int f%d(unsigned a, unsigned b)
{
    unsigned h = %d;
    for (int i = 0; i < 6; i++) {
        if (a & (1u << i))
            h = (h << 3) ^ b;
        else
            h += b >> i;
        if (h == %du + i)
            return i;
    }
    return h > %du || a == 5;
}
`, k, k, 1000*k, 3*k)
	}
	return b.Bytes()
}

func counts(t *testing.T, text []byte) map[string]int {
	t.Helper()
	var v struct{ Labels map[string]int }
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return map[string]int{"covered": v.Labels["covered"], "infeasible": v.Labels["infeasible"],
		"unknown": v.Labels["unknown"]}
}

func waitFor(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte("END CERTIFICATE")) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not come", path)
		}
	}
}

// site is a coordinator's namespace and those of its workers.
type site struct {
	t       *testing.T
	hub     string
	addr    string
	args    []string
	run     *exec.Cmd
	over    chan error
	stdout  *bytes.Buffer
	stderr  *bytes.Buffer
	workers []worker
	relay   *relay
}

type worker struct {
	space, link, url string
	secret           string
	cmd              *exec.Cmd
}

// lay makes the namespaces; the last worker sees the relay alone.
func lay(t *testing.T, dir string, workers int) *site {
	t.Helper()
	id := fmt.Sprintf("kl%x", os.Getpid()%0xffff)
	s := &site{t: t, hub: id + "h", addr: "10.77.0.1:4222"}
	if out, err := exec.Command("ip", "netns", "add", s.hub).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no network namespaces may be made here: %v: %s", err, out)
	}
	t.Cleanup(s.clear)
	ip := func(args string) {
		if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v: %s", args, err, out)
		}
	}
	ip("-n " + s.hub + " link add br0 type bridge")
	ip("-n " + s.hub + " addr add 10.77.0.1/24 dev br0")
	ip("-n " + s.hub + " link set br0 up")
	ip("-n " + s.hub + " link set lo up")
	for i := range workers {
		w := worker{space: fmt.Sprint(id, "w", i), link: fmt.Sprint(id, "l", i), url: "nats://" + s.addr}
		if i == workers-1 {
			w.url = "nats://10.77.0.1:4223"
		}
		s.workers = append(s.workers, w)
		ip("netns add " + w.space)
		ip("-n " + s.hub + " link add " + w.link + " type veth peer name eth0 netns " + w.space)
		ip("-n " + s.hub + " link set " + w.link + " master br0 up")
		ip(fmt.Sprintf("-n %s addr add 10.77.0.%d/24 dev eth0", w.space, 10+i))
		ip("-n " + w.space + " link set eth0 up")
		ip("-n " + w.space + " link set lo up")
	}
	s.relay = startRelay(t, s.hub, "10.77.0.1:4223", s.addr)
	return s
}

func (s *site) clear() {
	for i := range s.workers {
		if c := s.workers[i].cmd; c != nil {
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
			_ = c.Wait()
			s.workers[i].cmd = nil
		}
		_ = exec.Command("ip", "netns", "del", s.workers[i].space).Run()
	}
	if s.relay != nil {
		s.relay.listener.Close()
	}
	_ = exec.Command("ip", "netns", "del", s.hub).Run()
	s.workers = nil
}

// in makes a command that runs in a namespace, with what it starts a group of its own.
func (s *site) in(space string, args ...string) *exec.Cmd {
	cmd := exec.Command("ip", append([]string{"netns", "exec", space, "klabel"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

func (s *site) start(args []string) {
	s.t.Helper()
	s.args, s.over = args, make(chan error, 1)
	s.stdout, s.stderr = new(bytes.Buffer), new(bytes.Buffer)
	s.run = s.in(s.hub, args...)
	s.run.Stdout, s.run.Stderr = s.stdout, s.stderr
	if err := s.run.Start(); err != nil {
		s.t.Fatal(err)
	}
	run, over := s.run, s.over
	go func() { over <- run.Wait() }()
}

func (s *site) work(i int, secret string) {
	s.t.Helper()
	w := &s.workers[i]
	w.secret = secret
	w.cmd = s.in(w.space, "work", "--join", w.url, "--secret", secret, "--jobs", "1")
	if testing.Verbose() {
		w.cmd.Stderr = os.Stderr
	}
	if err := w.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

// weather goes on until the campaign has ended.
func (s *site) weather(r *rand.Rand) (kills, cuts, lost int) {
	s.t.Helper()
	var pulled sync.WaitGroup
	defer pulled.Wait()
	link := func(w worker, how string) { _ = exec.Command("ip", "-n", s.hub, "link", "set", w.link, how).Run() }
	end := time.After(20 * time.Minute)
	for n := 1; ; n++ {
		select {
		case err := <-s.over:
			if err != nil {
				s.t.Fatalf("the campaign: %v\n%s", err, s.stderr.String())
			}
			return kills, cuts, lost
		case <-end:
			s.t.Fatalf("the campaign does not end\n%s", s.stderr.String())
		case <-time.After(time.Duration(500+r.IntN(1500)) * time.Millisecond):
		}
		i := r.IntN(len(s.workers))
		w := s.workers[i]
		switch {
		case n%12 == 0 && lost < 2: // not for ever: it has to come to its end
			_ = syscall.Kill(-s.run.Process.Pid, syscall.SIGKILL)
			if <-s.over == nil {
				return kills, cuts, lost // it was faster
			}
			lost++
			s.start(s.args)
		case n%3 == 0:
			_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
			_ = w.cmd.Wait()
			kills++
			s.work(i, w.secret)
		case n%3 == 1:
			cuts++
			dark := time.Duration(r.IntN(8000)) * time.Millisecond
			pulled.Go(func() {
				link(w, "down")
				time.Sleep(dark)
				link(w, "up")
			})
		default:
			cuts++
			s.relay.cut()
		}
	}
}

// relay carries connections, slowly.
type relay struct {
	listener net.Listener
	mu       sync.Mutex
	near     []net.Conn
}

// startRelay has its sockets in a namespace: those of a thread that has entered it.
func startRelay(t *testing.T, space, at, to string) *relay {
	t.Helper()
	within := func(f func()) error {
		fd, err := os.Open("/run/netns/" + space)
		if err != nil {
			return err
		}
		defer fd.Close()
		done := make(chan error)
		go func() { // the thread ends with this goroutine, which does not let go of it
			runtime.LockOSThread()
			err := unix.Setns(int(fd.Fd()), unix.CLONE_NEWNET)
			if err == nil {
				f()
			}
			done <- err
		}()
		return <-done
	}
	r := &relay{}
	var err error
	if e := within(func() { r.listener, err = net.Listen("tcp", at) }); e != nil || err != nil {
		t.Fatal(e, err)
	}
	go func() {
		for {
			near, err := r.listener.Accept()
			if err != nil {
				return
			}
			var far net.Conn
			if e := within(func() { far, err = net.Dial("tcp", to) }); e != nil || err != nil {
				near.Close() // no coordinator just now
				continue
			}
			r.mu.Lock()
			r.near = append(r.near, near)
			r.mu.Unlock()
			go slowly(near, far)
			go slowly(far, near)
		}
	}()
	return r
}

// slowly copies with 200 ms of delay. What was read before an end is still written.
func slowly(from, to net.Conn) {
	type piece struct {
		at time.Time
		b  []byte
	}
	way := make(chan piece, 1<<12)
	go func() {
		for p := range way {
			time.Sleep(time.Until(p.at))
			if _, err := to.Write(p.b); err != nil {
				_, _ = io.Copy(io.Discard, from)
			}
		}
		to.Close()
	}()
	for {
		b := make([]byte, 1<<16)
		n, err := from.Read(b)
		if n > 0 {
			way <- piece{time.Now().Add(200 * time.Millisecond), b[:n]}
		}
		if err != nil {
			close(way)
			return
		}
	}
}

// cut ends all connections at the worker's side.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.near {
		c.Close()
	}
	r.near = nil
}

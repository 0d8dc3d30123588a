package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// toTheEnd are the flags of a run that explores all of a source's functions to their ends.
func toTheEnd(source, out string) []string {
	return []string{"run", source, "--all-functions", "--criteria", "MCC,WM", "--engine", "native",
		"--budget", "2m", "--no-random", "--style", "none", "-o", out}
}

// TestWorkersAgree explores a program with one process and with workers, to the end: each label
// has the same status whoever did it. With KLABEL_CLUSTER_KILLS, as nightly, there are more of them.
func TestWorkersAgree(t *testing.T) {
	needClang(t)
	dir := t.TempDir()
	source := filepath.Join(dir, "many.c")
	if err := os.WriteFile(source, []byte(agreed), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := func(out string) []string { return toTheEnd(source, out) }
	one := filepath.Join(dir, "one")
	if cmd, _, stderr := klabelCmd(flags(one)...); cmd.Run() != nil {
		t.Fatal(stderr)
	}
	want := statuses(t, one)
	for id, s := range want {
		if s != "covered" && s != "infeasible" {
			t.Errorf("label %d is %s: the exploration does not end", id, s)
		}
	}
	numbers := []int{1, 3}
	if os.Getenv("KLABEL_CLUSTER_KILLS") != "" {
		numbers = []int{1, 2, 4, 8}
	}
	for _, n := range numbers {
		addr, out := freeAddress(t), filepath.Join(dir, fmt.Sprint("workers", n))
		var workers []*exec.Cmd
		var said []*bytes.Buffer
		for range n {
			w, _, stderr := klabelCmd("work", "--join", "nats://"+addr, "--jobs", "1", "--once")
			if err := w.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Process.Kill() })
			workers, said = append(workers, w), append(said, stderr)
		}
		if cmd, _, stderr := klabelCmd(append(flags(out), "--listen", addr)...); cmd.Run() != nil {
			t.Fatal(stderr)
		}
		for i, w := range workers {
			if err := w.Wait(); err != nil {
				t.Errorf("a worker: %v\n%s", err, said[i])
			}
		}
		if got := statuses(t, out); !maps.Equal(got, want) {
			t.Errorf("%d workers: %v, one process: %v", n, got, want)
		}
	}
}

// freeAddress is one that nobody listens at. Its port is none of those that the kernel deals
// out: a worker that asks for a server before there is one would else come to meet itself.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 12000+rand.IntN(20000))
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("every port is taken")
	return ""
}

const agreed = `int sign(int a, int b)
{
    if (a > 10 && b < a)
        return 1;
    if (a == -7 || b == 12345)
        return -1;
    return 0;
}

int grade(unsigned n)
{
    if (n > 90)
        return 'a';
    if (n > 50 && n % 2 == 0)
        return 'b';
    return n == 17 ? 'x' : 'c';
}

int never(unsigned char c)
{
    if (c > 200 && c < 100)
        return 1;
    return c == 'q' || c == 'r';
}
`

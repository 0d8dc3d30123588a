// Command cluster measures what a cluster costs, and prints Markdown: the time of a coordinator with two
// workers of one slice each against that of one process with two jobs, on one machine and on a
// program whose exploration ends by itself; then how late workers know what is covered, and
// how much of a core the coordinator takes, with its embedded server and over real sockets (cluster's
// TestScale, with made-up engines). Processor time is that of all processes together.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	binary := flag.String("klabel", "./klabel", "the `program` to measure")
	functions := flag.Int("functions", 16, "`number` of functions of the made-up program")
	source := flag.String("source", "", "measure with all functions of this C `file`, whose exploration should end")
	repeat := flag.Int("repeat", 3, "`times` that each is measured, in turn; the middle one counts")
	scale := flag.String("scale", "50,100", "`numbers` of made-up workers, separated by commas; none: \"\"")
	during := flag.Duration("time", 30*time.Second, "`time` for each of them")
	flag.Parse()
	err := against(*binary, *source, *functions, *repeat)
	if err == nil && *scale != "" {
		err = scales(strings.Split(*scale, ","), *during)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// measured is one campaign.
type measured struct {
	seconds, cpu float64
	labels       map[string]int
}

func against(binary, source string, functions, repeat int) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if source == "" {
		source = filepath.Join(dir, "many.c")
		if err := os.WriteFile(source, program(functions), 0o666); err != nil {
			return err
		}
	}
	var one, many []measured
	for range repeat {
		m, err := campaign(binary, source, dir, false)
		if err != nil {
			return err
		}
		one = append(one, m)
		if m, err = campaign(binary, source, dir, true); err != nil {
			return err
		}
		many = append(many, m)
	}
	fmt.Println("| | seconds | processor seconds | covered | infeasible | unknown |")
	fmt.Println("|---|---|---|---|---|---|")
	row := func(name string, all []measured) (s, c float64) {
		s = middle(all, func(m measured) float64 { return m.seconds })
		c = middle(all, func(m measured) float64 { return m.cpu })
		l := all[0].labels
		fmt.Printf("| %s | %.1f | %.1f | %d | %d | %d |\n", name, s, c, l["covered"], l["infeasible"], l["unknown"])
		return s, c
	}
	s1, c1 := row("one process, two jobs", one)
	s2, c2 := row("coordinator, two workers", many)
	fmt.Printf("| ratio | %.2f | %.2f | | | |\n\n", s2/s1, c2/c1)
	return nil
}

func middle(all []measured, of func(measured) float64) float64 {
	var v []float64
	for _, m := range all {
		v = append(v, of(m))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// campaign runs one, with workers that wait for it or without.
func campaign(binary, source, dir string, workers bool) (m measured, err error) {
	out, err := os.MkdirTemp(dir, "out")
	if err != nil {
		return m, err
	}
	args := []string{"run", source, "--all-functions", "--criteria", "MCC,WM", "--engine", "native", "--budget", "5m",
		"--no-random", "--format", "json", "--style", "none", "--fresh", "-o", filepath.Join(out, "o.klabel")}
	var all []*exec.Cmd
	if workers {
		addr, err := freeAddress()
		if err != nil {
			return m, err
		}
		args = append(args, "--listen", addr)
		for range 2 {
			w := exec.Command(binary, "work", "--join", "nats://"+addr, "--jobs", "1", "--once")
			if err := w.Start(); err != nil {
				return m, err
			}
			defer w.Process.Kill()
			all = append(all, w)
		}
		time.Sleep(2 * time.Second) // they look for their tools
	} else {
		args = append(args, "--jobs", "2")
	}
	var stdout, stderr bytes.Buffer
	run := exec.Command(binary, args...)
	run.Stdout, run.Stderr = &stdout, &stderr
	begin := time.Now()
	if err := run.Run(); err != nil {
		return m, fmt.Errorf("%v: %w\n%s", args, err, &stderr)
	}
	m.seconds = time.Since(begin).Seconds()
	for _, w := range all {
		if err := w.Wait(); err != nil {
			return m, fmt.Errorf("a worker: %w", err)
		}
	}
	for _, p := range append(all, run) { // with all that they waited for
		u := p.ProcessState.SysUsage().(*syscall.Rusage)
		m.cpu += time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	var result struct{ Labels map[string]int }
	err = json.Unmarshal(stdout.Bytes(), &result)
	m.labels = result.Labels
	return m, err
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

//go:embed programs/function.c
var function string

// program is one of functions that take a while to explore, and come to an end.
func program(functions int) []byte {
	var b strings.Builder
	for k := 1; k <= functions; k++ {
		b.WriteString(strings.NewReplacer("function_1", fmt.Sprint("function_", k), "= 1;", fmt.Sprintf("= %d;", k),
			"1001u", fmt.Sprintf("%du", 1000*k+1)).Replace(function))
	}
	return []byte(b.String())
}

var (
	scaleLine = regexp.MustCompile(`lag_test.go:\d+: (\d+) workers, .*`)
	scaleText = regexp.MustCompile(`([0-9.]+) % of a core; .* ([0-9.]+) tests/s, ([0-9.]+) messages/s, .* lag (\{.*\})`)
)

// scales runs the made-up workers.
func scales(numbers []string, during time.Duration) error {
	fmt.Println("| workers | tests/s | messages/s | coordinator and server | view lag: median | 95 % |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, n := range numbers {
		if _, err := strconv.Atoi(n); err != nil {
			return fmt.Errorf("-scale %q is not a number", n)
		}
		cmd := exec.Command("go", "test", "./cluster", "-count=1", "-run", "TestScale$", "-v")
		cmd.Env = append(os.Environ(), "KLABEL_CLUSTER_SCALE="+n, "KLABEL_CLUSTER_TIME="+during.String(),
			"KLABEL_CLUSTER_PAUSE=1s")
		out, err := cmd.CombinedOutput()
		line := scaleLine.Find(out)
		f := scaleText.FindSubmatch(line)
		if err != nil || f == nil {
			return fmt.Errorf("go test: %v\n%s", err, out)
		}
		var lag struct{ Median, P95 float64 }
		if err := json.Unmarshal(f[4], &lag); err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %s | %s %% of a core | %.0f ms | %.0f ms |\n", n, f[2], f[3], f[1], 1000*lag.Median,
			1000*lag.P95)
	}
	return nil
}

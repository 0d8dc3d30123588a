package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"klabel/engine/playback"
)

// recording NAME SPEED: puts a recording and its program into NAME/, and makes
// "playedklee" play it.
func cmdRecording(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: recording NAME SPEED")
	}
	_, dir, err := playback.Sample(args[0], ts.MkAbs("."))
	ts.Check(err)
	ts.Setenv(playback.EnvRecording, dir)
	ts.Setenv(playback.EnvSpeed, args[1])
	ts.Setenv("KLABEL_KLEE", "playedklee")
}

// json FILE PATH [VALUE]: the value at a path such as labels.total or
// 0.engine.mode is there, and is VALUE; TYPE:number and the like compare the
// type alone. With ! there is no such path.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH [VALUE]")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s is not JSON: %v", args[0], err)
	}
	found := true
	for _, step := range strings.Split(args[1], ".") {
		switch x := v.(type) {
		case map[string]any:
			v, found = x[step]
		case []any:
			i, err := strconv.Atoi(step)
			if found = err == nil && i < len(x); found {
				v = x[i]
			}
		default:
			found = false
		}
		if !found {
			break
		}
	}
	if neg {
		if found {
			ts.Fatalf("%s has %s: %v", args[0], args[1], v)
		}
		return
	}
	if !found {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	if len(args) == 2 {
		return
	}
	got := fmt.Sprint(v)
	if strings.HasPrefix(args[2], "TYPE:") {
		got = map[string]string{"float64": "TYPE:number", "string": "TYPE:string",
			"bool": "TYPE:bool"}[fmt.Sprintf("%T", v)]
	}
	if got != args[2] {
		ts.Fatalf("%s: %s is %s, want %s", args[0], args[1], got, args[2])
	}
}

// until FILE [TEXT]: waits until a file (a pattern) is there, and holds a text.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: until FILE [TEXT]")
	}
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(ts.MkAbs(args[0]))
		for _, f := range files {
			if len(args) == 1 {
				return
			}
			if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), args[1]) {
				return
			}
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}

// lines FILE N: a file (stderr, say) has at most N lines.
func cmdLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); n > most {
		ts.Fatalf("%s has %d lines, at most %d are wanted", args[0], n, most)
	}
}

// fails CODE ARG...: klabel ends with this code, one or two lines on stderr, and
// nothing on stdout.
func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE ARG...")
	}
	err := ts.Exec("klabel", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("klabel ended with %v, exit status %s is wanted", err, args[0])
	}
	if n := strings.Count(ts.ReadFile("stderr"), "\n"); n < 1 || n > 2 || ts.ReadFile("stdout") != "" {
		ts.Fatalf("one or two lines on stderr alone are wanted")
	}
}

// quiet DIR: no process works in or for a directory any more.
func cmdQuiet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: quiet DIR")
	}
	if left := leftover(ts.MkAbs(args[0]), patience); len(left) > 0 {
		ts.Fatalf("left behind: %q", left)
	}
}

// patience is how long processes may take to end when the machine is busy with others.
const patience = time.Minute

// leftover lists the processes whose command line, program or directory names
// dir, after giving them a while to end.
func leftover(dir string, patience time.Duration) []string {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var left []string
		procs, _ := filepath.Glob("/proc/[0-9]*")
		for _, p := range procs {
			if p == fmt.Sprintf("/proc/%d", os.Getpid()) {
				continue
			}
			cmdline, _ := os.ReadFile(p + "/cmdline")
			exe, _ := os.Readlink(p + "/exe")
			cwd, _ := os.Readlink(p + "/cwd")
			line := strings.ReplaceAll(string(cmdline), "\x00", " ")
			stat, _ := os.ReadFile(p + "/stat")
			if i := strings.LastIndexByte(string(stat), ')'); i >= 0 && strings.HasPrefix(string(stat[i+1:]), " Z") {
				continue // dead, and not yet collected by whoever inherited it
			}
			if strings.Contains(line+" "+exe+" "+cwd, dir+"/") {
				left = append(left, fmt.Sprintf("%s: %s (%s)", filepath.Base(p), line, exe))
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

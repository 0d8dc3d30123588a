package toolchain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Resident is how much memory a process and all that descends from it have, in MB. Up to
// enough it is an estimate from above, which counts what they share more than once. What
// has lost its parents belongs to it where it is the first of a process namespace.
func (p *Process) Resident(enough int) int {
	type process struct{ parent, pages int }
	all := map[int]process{}
	for _, f := range familyStats(p.Pid()) {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		// The name may hold anything; after it come state, parent, ..., and 20 further on pages.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil || len(fields) < 22 {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		pages, _ := strconv.Atoi(string(fields[21]))
		all[pid] = process{parent, pages}
	}
	var family []int
	pages := 0
	for pid := range all {
		at := pid
		for range len(all) { // /proc is no snapshot: numbers may go round
			if at == p.Pid() || at <= 1 {
				break
			}
			at = all[at].parent
		}
		if at == p.Pid() {
			family = append(family, pid)
			pages += all[pid].pages
		}
	}
	mb := pages * os.Getpagesize() >> 20
	if mb <= enough {
		return mb
	}
	kb := 0
	for _, pid := range family {
		kb += partOfMemory(pid, all[pid].pages*os.Getpagesize()>>10)
	}
	return kb >> 10
}

// Hold has the kernel refuse the program itself more than mb of memory from now on. What it
// has only reserved, and never touched, may stay: what is counted is what it may write to.
func (p *Process) Hold(mb int) {
	pid := p.Pid()
	if p.end != nil { // what a supervisor has started first is the program
		pids, _ := family(pid)
		if len(pids) < 2 {
			return
		}
		pid = pids[1]
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return // it has ended
	}
	kb := func(name string) uint64 {
		_, after, _ := strings.Cut(string(text), "\n"+name+":")
		var n uint64
		_, _ = fmt.Sscan(after, &n) // 0 is more than is refused then
		return n
	}
	var now unix.Rlimit
	if kb("VmRSS") == 0 || unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &now) != nil {
		return
	}
	now.Cur = min((kb("VmData")-min(kb("VmRSS"), kb("VmData")))<<10+uint64(mb)<<20, now.Max)
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &now, nil) // it has ended
}

// partOfMemory is what a process has in KB, of what it shares its part; otherwise says what
// to take where the kernel does not tell.
func partOfMemory(pid, otherwise int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return otherwise
	}
	_, after, found := strings.Cut(string(text), "\nPss:")
	fields := strings.Fields(after)
	if !found || len(fields) == 0 {
		return otherwise
	}
	kb, err := strconv.Atoi(fields[0])
	if err != nil {
		return otherwise
	}
	return kb
}

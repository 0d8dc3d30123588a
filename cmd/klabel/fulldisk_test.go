package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"klabel/examples"
	"klabel/label"
)

// smallDisk is a file system of a size that can be changed.
type smallDisk struct {
	t   *testing.T
	dir string
	p   examples.Program
}

func newSmallDisk(t *testing.T) *smallDisk {
	needClang(t)
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can mount a small file system")
	}
	d := &smallDisk{t, filepath.Join(t.TempDir(), "disk"), example(t, "triangle", "MCC")}
	if err := os.Mkdir(d.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", d.dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("SKIPPED: no small file system: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(d.dir, unix.MNT_DETACH) })
	return d
}

// resize makes the disk larger or smaller; anew empties it, too.
func (d *smallDisk) resize(size string, anew bool) {
	d.t.Helper()
	flags := uintptr(unix.MS_REMOUNT)
	if anew {
		if err := unix.Unmount(d.dir, unix.MNT_DETACH); err != nil {
			d.t.Fatal(err)
		}
		flags = 0
	}
	if err := unix.Mount("tmpfs", d.dir, "tmpfs", flags, "size="+size); err != nil {
		d.t.Fatal(err)
	}
}

// used is how many bytes are taken.
func (d *smallDisk) used() uint64 {
	var s unix.Statfs_t
	if err := unix.Statfs(d.dir, &s); err != nil {
		d.t.Fatal(err)
	}
	return (s.Blocks - s.Bfree) * uint64(s.Bsize)
}

// run runs the example. With an error that is of the disk it says in two lines which
// one is full, and which option or variable chooses another place.
func (d *smallDisk) run(size, out, way string, env ...string) (code int, stderr string) {
	d.t.Helper()
	cmd, stdout, errs := klabelCmd("run", d.p.File, "--engine", "native", "-o", out, "--no-sanitizers", "--no-random",
		"--no-prune")
	cmd.Env = append(os.Environ(), env...)
	cmd.Run()
	code, stderr = cmd.ProcessState.ExitCode(), errs.String()
	d.t.Logf("%s: exit %d, %s", size, code, stderr)
	switch code {
	case 0:
	case 1:
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		last := lines[len(lines)-1]
		// A note or two may come before.
		if !strings.HasPrefix(last, "klabel: hint: the file system at "+d.dir+" (") || !strings.Contains(last, way) ||
			len(lines) > 4 {
			d.t.Errorf("%s: it does not say which disk is full: %s", size, stderr)
		}
	default:
		d.t.Errorf("%s: exit %d\n%s%s", size, code, stdout, stderr)
	}
	if left := leftover(out, patience); len(left) > 0 {
		d.t.Errorf("%s: left behind: %q", size, left)
	}
	return code, stderr
}

// With a disk that is full klabel says so in two lines, exits with 1, and goes on from
// there when there is space again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d := newSmallDisk(t)
	dir := filepath.Join(d.dir, "out")
	full, covered := 0, map[label.ID]bool{}
	for _, size := range []string{"16k", "100k", "200k", "300k", "400k", "500k", "600k", "700k", "800k", "1m", "64m"} {
		d.resize(size, false)
		if code, _ := d.run(size, dir, "--output"); code == 1 {
			full++
		}
		if size == "16k" {
			continue // not even a store fits
		}
		now := statuses(t, dir)
		for id := range covered {
			if now[id] != "covered" {
				t.Errorf("%s: label %d was covered and is %q", size, id, now[id])
			}
		}
		for id, s := range now {
			if s == "covered" {
				covered[id] = true
			}
		}
	}
	if full == 0 {
		t.Error("the disk was never full")
	}
	wantAll(t, d.p, dir)
}

// The disk is full at each page that a run writes, in turn: whatever could not be
// written, nothing is claimed that 'klabel verify' does not confirm.
func TestFullAtEachWrite(t *testing.T) {
	t.Parallel()
	d := newSmallDisk(t)
	dir := filepath.Join(d.dir, "out")
	d.resize("64m", true)
	if code, _ := d.run("64m", dir, ""); code != 0 {
		t.Fatal("it fails with space enough")
	}
	sizes := soak(200)
	if sizes == 0 {
		sizes = 6
	}
	most, full, claims := d.used()+512<<10, 0, 0 // what is removed at the end is more
	for i := range sizes {
		size := fmt.Sprintf("%dk", most*uint64(i+1)/uint64(sizes)>>12<<2)
		d.resize(size, true)
		if code, _ := d.run(size, dir, "--output"); code == 1 {
			full++
		}
		for _, s := range statuses(t, dir) {
			if s == "covered" {
				claims++
				cmd, stdout, stderr := klabelCmd("verify", dir)
				if err := cmd.Run(); err != nil {
					t.Errorf("%s: not all that is claimed is confirmed: %s%s", size, stdout, stderr)
				}
				break
			}
		}
	}
	if full == 0 || claims == 0 {
		t.Errorf("of %d runs %d met a full disk, %d claimed something", sizes, full, claims)
	}
	t.Logf("%d runs: %d met a full disk, %d claimed something", sizes, full, claims)
}

// A full cache fails nothing: the work goes on without, which is said once.
func TestFullCache(t *testing.T) {
	t.Parallel()
	d := newSmallDisk(t)
	for _, size := range []string{"4k", "400k"} {
		d.resize(size, true)
		dir := filepath.Join(t.TempDir(), "out")
		code, stderr := d.run(size, dir, "", "XDG_CACHE_HOME="+d.dir)
		if code != 0 {
			t.Errorf("%s: exit %d", size, code)
		}
		if n := strings.Count(stderr, "the cache is on it: free some space there, or choose another place for it with "+
			"XDG_CACHE_HOME"); n != 1 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: said %d times: %s", size, n, stderr)
		}
		wantAll(t, d.p, dir)
	}
}

// The folder for temporary files may be full, too.
func TestFullTemp(t *testing.T) {
	t.Parallel()
	d := newSmallDisk(t)
	full := 0
	for _, size := range []string{"4k", "64m"} {
		d.resize(size, true)
		code, _ := d.run(size, filepath.Join(t.TempDir(), "out"), "TMPDIR", "TMPDIR="+d.dir)
		if full += code; code == 1 && size == "64m" {
			t.Error("it fails with space enough")
		}
	}
	if full == 0 {
		t.Error("the disk was never full")
	}
}

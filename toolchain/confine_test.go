package toolchain

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func needNamespaces(t *testing.T) Means {
	t.Helper()
	m := ConfinementMeans()
	if !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	return m
}

// confinedShell runs a script in confinement and returns what it prints.
func confinedShell(t *testing.T, c Confinement, script string) string {
	t.Helper()
	if c.Scratch == "" {
		c.Scratch = t.TempDir()
	}
	c.ScratchMB = max(c.ScratchMB, 4)
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", script}, Confine: &c, Timeout: 20 * time.Second,
		Env: []string{"PATH=/usr/bin:/bin"}})
	if err != nil && r.ExitCode < 0 {
		t.Fatalf("%v\n%s", err, r.Stderr)
	}
	return string(r.Stdout) + string(r.Stderr)
}

// Tests that need namespaces are skipped without: that there are none must not be
// klabel's own doing.
func TestNamespacesWhereTheyMayBeMade(t *testing.T) {
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("SKIPPED: there is no unshare")
	}
	err = exec.Command(unshare, "--user", "--map-root-user", "--mount", "--net", "--ipc", "--pid", "--fork",
		"--mount-proc", "true").Run()
	if m := ConfinementMeans(); err == nil && !m.Namespaces {
		t.Errorf("unshare can make namespaces, klabel cannot: %s", m.Why)
	}
}

// Landlock lets the owner of a file change its mode, and root owns the system's.
func TestModesStayWithoutNamespaces(t *testing.T) {
	m := ConfinementMeans()
	m.Namespaces = false
	if m.Landlock == 0 || !m.Seccomp {
		t.Skip("SKIPPED: without landlock and seccomp files are not kept")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o640); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "chmod 0 $0; chown 7 $0; echo much > $0; touch here && echo ran", file)
	path, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := confine(cmd, order{Confinement: Confinement{Scratch: t.TempDir()}, Means: m, Path: path}); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(file)
	st, _ := os.Stat(file)
	if err != nil || !strings.Contains(string(out), "ran") || st.Mode() != 0o640 || string(text) != "mine" {
		t.Errorf("%v, mode %v, %q\n%s", err, st.Mode(), text, out)
	}
}

func TestConfinement(t *testing.T) {
	needNamespaces(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "file")
	if err := os.WriteFile(secret, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	victim, err := Start(t.Context(), Command{Argv: []string{"/bin/sleep", "60"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { victim.Stop(); victim.Wait() }()
	pid := strconv.Itoa(victim.Pid())
	home, err := os.MkdirTemp("/var", "klabel-test-") // not in a folder that is hidden
	if err != nil {
		if home, err = os.MkdirTemp(".", "klabel-test-"); err != nil {
			t.Skipf("SKIPPED: no folder outside of /tmp: %v", err)
		}
		home, _ = filepath.Abs(home)
	}
	defer os.RemoveAll(home)
	mine := filepath.Join(home, "mine")
	os.WriteFile(mine, []byte("mine"), 0o666)

	out := confinedShell(t, Confinement{Readable: []string{secret}, Alone: true}, `
echo wrote > here && cat here
echo x > `+mine+` && echo CHANGED
rm -f `+mine+` && echo REMOVED
cat `+secret+`; echo
echo x > `+secret+` && echo CHANGED
ls /tmp | wc -l
echo x > /tmp/x && echo tmp ok
echo x > /dev/shm/x && echo shm ok
kill -9 `+pid+` && echo KILLED
mount -t tmpfs none /mnt && echo MOUNTED
unshare -U true && echo UNSHARED
ls /sys/class/net | tr '\n' ' '
head -c 9000000 /dev/zero > large && echo LARGE
cat /proc/self/status | grep -E 'CapEff|CapBnd|NoNewPrivs'
ls /dev | tr '\n' ' '
`)
	for _, bad := range []string{"CHANGED", "REMOVED", "KILLED", "MOUNTED", "UNSHARED", "LARGE", "sda"} {
		if strings.Contains(out, bad) {
			t.Errorf("it has %s:\n%s", bad, out)
		}
	}
	for _, good := range []string{"wrote\n", "mine\n", "tmp ok", "shm ok", "CapEff:\t0000000000000000",
		"CapBnd:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(out, good) {
			t.Errorf("%q is missing:\n%s", good, out)
		}
	}
	if b, err := os.ReadFile(mine); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}

// What it is given to read and write is not the machine's: its permissions are.
func TestConfinementStreams(t *testing.T) {
	needNamespaces(t)
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	out := confinedShell(t, Confinement{Alone: true}, "chmod 640 /proc/self/fd/0 && echo CHANGED; "+
		"chmod 640 /dev/null && echo CHANGED; touch -d 1999-01-01 /proc/self/fd/0 && echo CHANGED; cat; echo read")
	after, err := os.Stat(os.DevNull)
	if after.Mode() != before.Mode() && os.Geteuid() == 0 {
		_ = os.Chmod(os.DevNull, before.Mode())
	}
	if err != nil || after.Mode() != before.Mode() || strings.Contains(out, "CHANGED") ||
		!strings.Contains(out, "read") {
		t.Errorf("%v, before %v: %v: %s", after.Mode(), before.Mode(), err, out)
	}
}

// Nor has it what klabel itself was given.
func TestConfinementInherited(t *testing.T) {
	needNamespaces(t)
	notes := filepath.Join(t.TempDir(), "notes")
	fd, err := unix.Open(notes, unix.O_RDWR|unix.O_CREAT, 0o666) // not closed when another program begins
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for _, c := range []Confinement{{Alone: true}, {Family: true}, {}} {
		out := confinedShell(t, c, "ls -l /proc/self/fd; echo x >&"+strconv.Itoa(fd)+" && echo WRITTEN")
		if strings.Contains(out, "notes") || strings.Contains(out, "WRITTEN") {
			t.Errorf("%+v: %s", c, out)
		}
	}
	if b, err := os.ReadFile(notes); err != nil || len(b) > 0 {
		t.Errorf("%q, %v", b, err)
	}
}

// What it may write belongs to the user afterwards.
func TestConfinementWritable(t *testing.T) {
	needNamespaces(t)
	dir := t.TempDir()
	out := confinedShell(t, Confinement{Writable: []string{dir}}, "mkdir "+dir+"/a && echo x > "+dir+
		"/a/b && echo done")
	fi, err := os.Stat(filepath.Join(dir, "a/b"))
	if err != nil || fi.Size() != 2 {
		t.Fatalf("%v: %s", err, out)
	}
}

// What it does is the same wherever its folder is: nothing of that place is seen.
func TestConfinementAnywhere(t *testing.T) {
	needNamespaces(t)
	dir := t.TempDir() // of the system's, which is hidden
	out := confinedShell(t, Confinement{Scratch: dir, Anywhere: true},
		"pwd; ls /tmp; echo x > here && cat here; ls "+dir)
	if !strings.HasPrefix(out, "/tmp/klabel\nklabel\nprogram\nx\n") || !strings.Contains(out, "No such file") {
		t.Error(out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A file is as large as it may be, and no core is written.
func TestConfinementLimits(t *testing.T) {
	needNamespaces(t)
	out := confinedShell(t, Confinement{FileMB: 2},
		"head -c 5000000 /dev/zero > large; wc -c < large; grep -E 'core file|file size' /proc/self/limits")
	if !strings.Contains(out, "2097152\n") || strings.Contains(out, "5000000") {
		t.Errorf("a file of 5 MB: %s", out)
	}
	if !regexp.MustCompile(`core file size +0 +0 `).MatchString(out) {
		t.Error(out)
	}
}

// A process has as much memory of its own as it may have, whatever takes it.
func TestConfinementOfMemory(t *testing.T) {
	for mb, want := range map[int]bool{400: true, 100: false} {
		out := confinedShell(t, Confinement{DataMB: mb}, "head -c 150000000 /dev/zero | tail -c 140000000 | wc -c")
		if strings.Contains(out, "140000000") != want {
			t.Errorf("with %d MB: %s", mb, out)
		}
	}
}

func TestConfinementNetwork(t *testing.T) {
	needNamespaces(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	script := "exec 3<>/dev/tcp/127.0.0.1/" + port + " && echo CONNECTED"
	if out := confinedShell(t, Confinement{}, "bash -c '"+script+"'"); strings.Contains(out, "CONNECTED") {
		t.Error(out)
	}
}

// Nothing outlives a process that is alone, not even what hides.
func TestConfinementAlone(t *testing.T) {
	needNamespaces(t)
	mark := strconv.Itoa(os.Getpid()) + ".731"
	confinedShell(t, Confinement{Alone: true}, "setsid sleep "+mark+" & sleep 0.2; echo done")
	for range 3000 {
		if n := len(running(t, "sleep", mark)); n == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a daemon is left")
}

// running lists processes by two words of their command line.
func running(t *testing.T, words ...string) (pids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(words, "\x00")
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), want) {
			pids = append(pids, f)
		}
	}
	return pids
}

// Without namespaces Landlock and seccomp still keep files and others' processes.
func TestConfinementWithoutNamespaces(t *testing.T) {
	m := ConfinementMeans()
	if m.Landlock == 0 || !m.Seccomp {
		t.Skip("SKIPPED: no landlock or no seccomp here")
	}
	m.Namespaces = false
	old := ConfinementMeans
	ConfinementMeans = func() Means { return m }
	defer func() { ConfinementMeans = old }()
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := confinedShell(t, Confinement{}, `
echo wrote > here && cat here
echo x > `+mine+` && echo CHANGED
rm -f `+mine+` && echo REMOVED
echo x > /dev/null && echo null ok
bash -c 'exec 3<>/dev/tcp/127.0.0.1/1' 2>&1
`)
	if strings.Contains(out, "CHANGED") || strings.Contains(out, "REMOVED") ||
		strings.Contains(out, "onnection refused") ||
		!strings.Contains(out, "wrote\n") || !strings.Contains(out, "null ok") {
		t.Error(out)
	}
}

package toolchain

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// becomeConfined gives up what the order does not allow and becomes the program.
// It returns only with an error.
func becomeConfined(text string, argv []string) error {
	// Landlock and seccomp are of the thread that becomes the program.
	runtime.LockOSThread()
	var o order
	b, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(b)).Decode(&o)
	}
	if err != nil {
		return err
	}
	if err := keepFiles(o.Files); err != nil {
		return err
	}
	// When memory runs out, the kernel shall take this and not its maker.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if o.Means.Namespaces {
		if err := isolate(&o); err != nil {
			return err
		}
		if err := ownStreams(); err != nil {
			return err
		}
	}
	own := o.Writable
	if o.Scratch != "" {
		own = append(own, o.Scratch)
	}
	if o.Means.Namespaces {
		own = append(own, o.private()...)
	}
	if o.Scratch != "" {
		if err := unix.Chdir(o.Scratch); err != nil {
			return fmt.Errorf("%s: %w", o.Scratch, err)
		}
	}
	if err := setLimits(o); err != nil {
		return err
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	if o.Means.Landlock > 0 {
		if err := restrictFiles(o.Means.Landlock, own); err != nil {
			return fmt.Errorf("landlock: %w", err)
		}
	}
	if o.Means.Seccomp {
		if err := filterCalls(o.Means.Namespaces); err != nil {
			return fmt.Errorf("seccomp: %w", err)
		}
	}
	if o.Probe {
		os.Exit(0)
	}
	if o.Family && o.Means.Namespaces {
		return supervise(o, argv)
	}
	return syscall.Exec(o.Path, argv, o.Env)
}

// setLimits bounds what each process may use, and how many there may be. Before
// Linux 5.14 the kernel counts the processes of a user together, those outside
// included: there the number is not bounded here.
func setLimits(o order) error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0}
	if o.FileMB > 0 {
		limits[unix.RLIMIT_FSIZE] = uint64(o.FileMB) << 20
	}
	if o.MemoryMB > 0 && !(o.Family && o.Means.Namespaces) { // else supervise does
		limits[unix.RLIMIT_AS] = uint64(o.MemoryMB) << 20
	}
	if o.DataMB > 0 {
		limits[unix.RLIMIT_DATA] = uint64(o.DataMB) << 20
	}
	if o.Processes > 0 && o.Means.Namespaces && kernelAtLeast(5, 14) {
		limits[unix.RLIMIT_NPROC] = uint64(o.Processes)
	}
	for what, most := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return err
		}
		most = min(most, now.Max)
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
	}
	return nil
}

func kernelAtLeast(major, minor int) bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	var a, b int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}

// dropPrivileges gives up every capability, for good.
func dropPrivileges() error {
	for c := uintptr(0); c < 64; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			break // no more of them, or no right to: then there is none to lose
		}
	}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // old kernels have none
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// privateFolders are made anew, in memory, for the process alone.
var privateFolders = []string{"/tmp", "/var/tmp", "/dev/shm"}

func (o *order) private() []string {
	if o.KeepTmp {
		return []string{"/dev/shm"}
	}
	return privateFolders
}

// devices are what programs may expect in /dev.
var devices = []string{"null", "zero", "full", "random", "urandom"}

// isolate makes every file read-only but those of the order, and hides the
// folders that all users write to, and all devices.
func isolate(o *order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	type shown struct {
		path     string
		fd       int
		folder   bool
		writable bool
	}
	var show []shown
	for i, p := range append(append([]string{o.Path}, o.Readable...), o.Writable...) {
		fd, err := unix.Open(p, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
		show = append(show, shown{p, fd, st.Mode&unix.S_IFMT == unix.S_IFDIR, i > len(o.Readable)})
	}
	if o.Anywhere {
		o.Scratch, o.Path, show[0].path = scratchAnywhere, ProgramAnywhere, ProgramAnywhere
	}
	var nodes []shown
	for _, d := range devices {
		if fd, err := unix.Open("/dev/"+d, unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
			nodes = append(nodes, shown{path: "/dev/" + d, fd: fd})
		}
	}
	size := fmt.Sprintf("size=%dm,nr_inodes=16384", max(1, o.ScratchMB))
	const flags = unix.MS_NOSUID | unix.MS_NODEV
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "size=64k,mode=755"); err != nil {
		return fmt.Errorf("a /dev of its own: %w", err)
	}
	if err := os.Mkdir("/dev/shm", 0o1777); err != nil {
		return err
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0",
		"stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	for _, dir := range o.private() {
		err := unix.Mount("tmpfs", dir, "tmpfs", flags, size+",mode=1777")
		if err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("a %s of its own: %w", dir, err)
		}
	}
	for _, s := range append(nodes, show...) {
		if o.hidden(s.path) || strings.HasPrefix(s.path, "/dev/") {
			if err := makePlace(s.path, s.folder); err != nil {
				return err
			}
		} else if !s.writable {
			continue
		}
		if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", s.fd), s.path, "", unix.MS_BIND|unix.MS_REC,
			""); err != nil {
			return fmt.Errorf("showing %s: %w", s.path, err)
		}
	}
	open := append([]string{}, o.private()...)
	if o.Scratch != "" {
		if o.hidden(o.Scratch) {
			if err := makePlace(o.Scratch, true); err != nil {
				return err
			}
		}
		if err := unix.Mount("tmpfs", o.Scratch, "tmpfs", flags, size+",mode=700"); err != nil {
			return fmt.Errorf("a working folder of its own: %w", err)
		}
		open = append(open, o.Scratch)
	}
	if o.Alone || o.Family {
		if err := unix.Mount("proc", "/proc", "proc", flags|unix.MS_NOEXEC, ""); err != nil {
			return fmt.Errorf("a /proc of its own: %w", err)
		}
		// The limit on processes does not hold for root. Since Linux 6.14 the largest
		// process number is the namespace's own; before, the whole machine's.
		if o.Processes > 0 && kernelAtLeast(6, 14) {
			_ = os.WriteFile("/proc/sys/kernel/pid_max", strconv.AppendInt(nil, int64(smallestPidMax+o.Processes), 10),
				0)
		}
	}
	readOnly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &readOnly)
	if err != nil {
		return fmt.Errorf("read-only files: %w", err)
	}
	writable := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	for _, p := range append(open, o.Writable...) {
		if err := unix.MountSetattr(unix.AT_FDCWD, p, 0, &writable); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("%s cannot be written: %w", p, err)
		}
	}
	return nil
}

// keepFiles leaves the program the descriptors below first. There are others where whoever
// has started klabel left it some, a shell with 5>>notes for instance: what is open can be
// written, whatever is read-only.
func keepFiles(first int) error {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd >= first {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}

// ownStreams opens /dev/null anew where it stands for a standard stream. What was opened
// outside is on the machine's own file system, which is not read-only: fchmod of it, by
// root, would take /dev/null from everybody.
func ownStreams() error {
	for fd := range 3 {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil {
			return err
		}
		own, err := unix.Open("/dev/null", flags&unix.O_ACCMODE|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("/dev/null: %w", err)
		}
		if err := unix.Dup3(own, fd, 0); err != nil {
			return err
		}
		unix.Close(own)
	}
	return nil
}

// smallestPidMax leaves room above the numbers that the kernel reserves.
const smallestPidMax = 400

// hidden reports whether a path is below a folder that is made anew.
func (o *order) hidden(path string) bool {
	for _, dir := range o.private() {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// makePlace makes what something can be mounted on.
func makePlace(path string, folder bool) error {
	if folder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

package toolchain

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock lets a process give up rights of its own, without namespaces: see
// landlock(7). Only what writes is restricted here; reading stays free.

func landlockVersion() int {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
}

const (
	landlockWrites = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	landlockFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	scopes        = 1<<0 | 1<<1 // abstract sockets, signals
)

// restrictFiles forbids every change of files but below these paths, connections,
// and, from version 6 on, signals to whoever is outside.
func restrictFiles(version int, writable []string) error {
	rules := struct{ fs, net, scoped uint64 }{fs: landlockWrites}
	size := unsafe.Sizeof(rules.fs)
	if version >= 2 {
		rules.fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rules.fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		rules.net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(rules.net)
	}
	if version >= 6 {
		rules.scoped = scopes
		size += unsafe.Sizeof(rules.scoped)
	}
	set, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if e != 0 {
		return e
	}
	defer unix.Close(int(set))
	for _, d := range devices {
		writable = append(writable, "/dev/"+d)
	}
	for _, path := range writable {
		if err := allowBelow(int(set), path, rules.fs); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if _, _, e := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); e != 0 {
		return e
	}
	return nil
}

func allowBelow(set int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= landlockFiles
	}
	rule := struct {
		rights uint64
		fd     int32
	}{rights, int32(fd)}
	if _, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); e != 0 {
		return e
	}
	return nil
}

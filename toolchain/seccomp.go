package toolchain

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// machines are the architectures whose system calls the filter knows.
var machines = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

func hasSeccomp() bool {
	_, known := machines[runtime.GOARCH]
	return known && unix.Prctl(unix.PR_GET_SECCOMP, 0, 0, 0, 0) == nil
}

// calls are the numbers of the calls that the filter looks at, as a machine has them.
type calls struct {
	denied, unknown, others    []uint32
	modes                      []uint32
	clone, setpriority, socket uint32
	ioctl                      uint32
}

var own = calls{denied, unknown, others, modes(), unix.SYS_CLONE, unix.SYS_SETPRIORITY, unix.SYS_SOCKET, unix.SYS_IOCTL}

// narrow are those of i386, for programs of 32 bits on amd64, in the same order, with
// older ones that do the same: umount, stime, clock_settime64. What socketcall is to do cannot be
// seen, and the C library does without.
var narrow = calls{
	denied: []uint32{26, 347, 348, 438, 349, 21, 52, 217, 61, 429, 428, 430, 432, 431, 433, 442, 310, 346,
		357, 336, 374, 283, 128, 350, 129, 286, 287, 288, 425, 87, 115, 88, 79, 264, 131, 289, 22, 25, 404, 102},
	unknown: []uint32{435, 356, 447},
	others:  []uint32{340, 241, 156, 154, 351, 294, 317},
	modes:   []uint32{15, 94, 306, 452, 16, 95, 182, 198, 207, 212, 298},
	clone:   120, setpriority: 97, socket: 359, ioctl: 54,
}

// denied are system calls that no program under test has a use for, and that act
// on other processes, on mounts or on the kernel.
var denied = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE,
	unix.SYS_SETNS,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE,
	unix.SYS_FINIT_MODULE,
	unix.SYS_DELETE_MODULE, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_IO_URING_SETUP,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
	unix.SYS_QUOTACTL, unix.SYS_IOPRIO_SET,
}

// others are system calls that limit or slow the process of that number, the server's for
// instance, or the calling one where it is 0.
var others = []uint32{
	unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM,
	unix.SYS_SCHED_SETATTR, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
}

// modes are the calls that change whose a file is, and who may do what with it. Landlock knows no right for that, and
// root's own files are those of the system: where no file is read-only, nobody may change them.
func modes() []uint32 {
	const fchmodat2 = 452
	all := []uint32{unix.SYS_FCHMOD, unix.SYS_FCHMODAT, fchmodat2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT}
	if runtime.GOARCH == "amd64" {
		const chmod, chown, lchown = 90, 92, 94 // older calls, which other machines do without
		all = append(all, chmod, chown, lchown)
	}
	return all
}

// unknown are system calls that there seem not to be: what clone3's argument says
// cannot be seen, and the C library falls back to clone; files that are memory alone count
// neither for a process nor for a file system.
var unknown = []uint32{unix.SYS_CLONE3, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET}

// typing puts characters into a terminal as if its user had typed them, or does other
// things to it; settings change it. Whoever may read the user's terminal may do that: where
// there is no namespace with a /dev of its own, the program under test.
var (
	typing   = []uint32{unix.TIOCSTI, unix.TIOCLINUX}
	settings = []uint32{unix.TCSETS, unix.TCSETSW, unix.TCSETSF, unix.TCSETA, unix.TCSETAW, unix.TCSETAF,
		unix.TCSETS2, unix.TCSETSW2, unix.TCSETSF2, unix.TCXONC, unix.TIOCSETD, unix.TIOCEXCL, unix.TIOCSWINSZ,
		unix.TIOCSPGRP}
)

// x32 system calls of amd64 have this bit; the filter knows none of them.
const x32 = 0x40000000

// inNamespace are the kinds of sockets that a network namespace keeps in. Those that
// name a file are not (a local service may listen there), nor are those between a
// virtual machine and its host.
var inNamespace = []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}

// filterCalls makes the kernel refuse the calls above, and sockets of all kinds but
// those that a network namespace keeps in; where there is none, all sockets, and changes of modes and owners.
func filterCalls(ownNetwork bool) error {
	f, own := filter{}, own.filter(ownNetwork)
	const machine = 4 // in struct seccomp_data
	f.load(machine)
	if runtime.GOARCH == "amd64" {
		f.jump(unix.BPF_JEQ, unix.AUDIT_ARCH_I386, 0, 1)
		f.skip(uint32(len(own) + 2))
	}
	f.jump(unix.BPF_JEQ, machines[runtime.GOARCH], 1, 0)
	f.end(unix.SECCOMP_RET_KILL_PROCESS)
	f = append(append(f, own...), narrow.filter(ownNetwork)...)
	p := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&p)), 0, 0)
}

// filter is the part of the filter for one machine.
func (c *calls) filter(ownNetwork bool) (f filter) {
	const number, argument0, argument1 = 0, 16, 24 // in struct seccomp_data
	f.load(number)
	if runtime.GOARCH == "amd64" {
		f.jump(unix.BPF_JGE, x32, 0, 1)
		f.end(refuse(unix.ENOSYS))
	}
	for _, n := range c.denied {
		f.jump(unix.BPF_JEQ, n, 0, 1)
		f.end(refuse(unix.EPERM))
	}
	for _, n := range c.unknown {
		f.jump(unix.BPF_JEQ, n, 0, 1)
		f.end(refuse(unix.ENOSYS))
	}
	f.when(c.clone, number, argument0, unix.BPF_JSET, unix.CLONE_NEWUSER, refuse(unix.EPERM))
	for _, n := range c.others {
		f.when(n, number, argument0, unix.BPF_JGT, 0, refuse(unix.EPERM))
	}
	// Of a user's or a group's processes the server may be one.
	f.when(c.setpriority, number, argument0, unix.BPF_JGT, unix.PRIO_PROCESS, refuse(unix.EPERM))
	f.when(c.setpriority, number, argument1, unix.BPF_JGT, 0, refuse(unix.EPERM))
	for _, n := range typing {
		f.when(c.ioctl, number, argument1, unix.BPF_JEQ, n, refuse(unix.EPERM))
	}
	for _, n := range settings {
		f.when(c.ioctl, number, argument1, unix.BPF_JEQ, n, refuse(unix.ENOTTY)) // as if there were none
	}
	if ownNetwork {
		f.only(c.socket, number, argument0, refuse(unix.EACCES), inNamespace...)
	} else {
		for _, n := range c.modes {
			f.jump(unix.BPF_JEQ, n, 0, 1)
			f.end(refuse(unix.EPERM))
		}
		f.when(c.socket, number, argument0, unix.BPF_JGE, 0, refuse(unix.EACCES))
	}
	f.end(unix.SECCOMP_RET_ALLOW)
	return f
}

func refuse(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }

// filter is a program of the kernel's packet filter.
type filter []unix.SockFilter

func (f *filter) load(offset uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (f *filter) jump(test uint16, value uint32, yes, no uint8) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | test, K: value, Jt: yes, Jf: no})
}

// skip goes on n instructions further.
func (f *filter) skip(n uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: n})
}

func (f *filter) end(result uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result})
}

// when ends with result if the call is n and the test of its argument holds. The
// call's number is loaded before and after.
func (f *filter) when(n, number, argument uint32, test uint16, value, result uint32) {
	f.jump(unix.BPF_JEQ, n, 0, 4)
	f.load(argument)
	f.jump(test, value, 0, 1)
	f.end(result)
	f.load(number)
}

// only ends with result if the call is n and its argument is none of the values.
func (f *filter) only(n, number, argument, result uint32, values ...uint32) {
	more := uint8(len(values))
	f.jump(unix.BPF_JEQ, n, 0, more+3)
	f.load(argument)
	for i, v := range values {
		f.jump(unix.BPF_JEQ, v, more-uint8(i), 0)
	}
	f.end(result)
	f.load(number)
}

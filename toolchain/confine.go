package toolchain

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Confinement says what a process, which runs code that nobody has looked at, may
// do to the machine. It applies to all that the process starts. Where the kernel
// does not allow one means, the others are still applied: see Means.
type Confinement struct {
	// Scratch is an existing directory that becomes the working directory: empty,
	// in memory, of ScratchMB at most, and gone with the process. Where the kernel
	// does not allow that it is the directory itself.
	Scratch   string
	ScratchMB int // bound of each of Scratch, /tmp and /dev/shm
	// Anywhere shows Scratch and the program at paths that are the same wherever they
	// are, so that what it does is the same, too. It takes namespaces.
	Anywhere  bool
	Writable  []string // files and folders that it may change
	Readable  []string // what it needs in /tmp and /var/tmp, which are its own and empty
	KeepTmp   bool     // they are not, but cannot be written
	FileMB    int      // largest file; 0: any
	Processes int      // at a time; 0: any
	MemoryMB  int      // address space of each process; 0: any, which AddressSanitizer needs
	DataMB    int      // memory of each process that is its own and can be written, the stack excepted; 0: any
	// Alone puts it into a process namespace, as its first process: it must reap
	// what it inherits, and gets no signal that it does not handle.
	Alone bool
	// Family puts it into a process namespace whose first process is klabel's:
	// when the program has ended, all that it has started ends too.
	Family     bool
	ResidentMB int // with Family: memory in use by all of it; 0: any
}

// Where Anywhere shows Scratch and the program.
const (
	scratchAnywhere = "/tmp/klabel"
	ProgramAnywhere = "/tmp/program"
)

// Home is where the process sees Scratch.
func (c *Confinement) Home() string {
	if c.Anywhere && ConfinementMeans().Namespaces {
		return scratchAnywhere
	}
	return c.Scratch
}

// Means are the ways to confine that this machine allows.
type Means struct {
	Namespaces bool   `json:"namespaces"` // of users, mounts, network, ipc and processes
	Landlock   int    `json:"landlock"`   // version of the kernel's interface, 0: none
	Seccomp    bool   `json:"seccomp"`
	Why        string `json:"why,omitempty"` // there are no namespaces
}

// String says in a line what is confined and what is not.
func (m Means) String() string {
	var has []string
	if m.Namespaces {
		has = append(has, "namespaces")
	}
	if m.Landlock > 0 {
		has = append(has, fmt.Sprintf("landlock %d", m.Landlock))
	}
	if m.Seccomp {
		has = append(has, "seccomp")
	}
	text := strings.Join(has, ", ")
	if text == "" {
		text = "limits alone"
	}
	if !m.Namespaces {
		text += "; no namespaces: " + m.Why
	}
	return text
}

// confinedName is argv[0] of klabel's own program where it confines itself and
// then becomes the program that was asked for.
const confinedName = "klabel-confined"

// confinedFailed is its exit status when it cannot.
const confinedFailed = 125

// order is what is asked of it.
type order struct {
	Confinement
	Means Means
	Path  string   // of the program
	Env   []string // its environment: what preloads a library there must not do so here
	Probe bool     // end instead of becoming it
	Stack bool     // lift the soft limit of the stack, with Family
	Files int      // its descriptors are those below
	// End is the descriptor of a file for the program's wait status, with Family.
	End int
}

const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC

// ConfinementMeans finds out, once, what the machine allows.
var ConfinementMeans = sync.OnceValue(func() Means {
	m := Means{Landlock: landlockVersion(), Seccomp: hasSeccomp()}
	try := m
	try.Namespaces = true
	cmd := exec.Command("/proc/self/exe")
	// Any folder will do; one of its own would be left by a run that ends meanwhile.
	err := confine(cmd, order{Confinement: Confinement{Scratch: os.TempDir(), ScratchMB: 1, Alone: true}, Means: try,
		Path: "/proc/self/exe", Probe: true})
	if err == nil {
		var out []byte
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		context.AfterFunc(ctx, func() {
			if cmd.Process != nil && ctx.Err() == context.DeadlineExceeded {
				_ = cmd.Process.Kill() // it has ended otherwise
			}
		})
		out, err = cmd.CombinedOutput()
		if text := strings.TrimSpace(string(out)); err != nil && text != "" {
			err = fmt.Errorf("%s", text)
		}
	}
	if err == nil {
		return try
	}
	m.Why = TellingLine(err.Error())
	return m
})

// confine makes a command start confined. Its Path, Args and SysProcAttr are
// changed; the working directory is the order's.
func confine(cmd *exec.Cmd, o order) error {
	o.Writable, o.Readable = slices.Clone(o.Writable), slices.Clone(o.Readable)
	paths := []*string{&o.Path}
	for _, list := range [][]string{o.Writable, o.Readable} {
		for i := range list {
			paths = append(paths, &list[i])
		}
	}
	for _, p := range paths {
		abs, err := filepath.Abs(*p)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return err
		}
		*p = abs
	}
	if o.Scratch != "" {
		abs, err := filepath.Abs(o.Scratch)
		if err != nil {
			return err
		}
		o.Scratch = abs
		cmd.Dir = abs
	}
	if o.Env = cmd.Env; o.Env == nil {
		o.Env = os.Environ()
	}
	cmd.Env = []string{}
	o.Files = 3 + len(cmd.ExtraFiles)
	// Paths may be any bytes.
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(o); err != nil {
		return err
	}
	cmd.Args = append([]string{confinedName, base64.StdEncoding.EncodeToString(b.Bytes())}, cmd.Args...)
	cmd.Path = "/proc/self/exe"
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if !o.Means.Namespaces {
		return nil
	}
	a := cmd.SysProcAttr
	a.Cloneflags = namespaces
	if o.Alone || o.Family {
		a.Cloneflags |= unix.CLONE_NEWPID
	}
	// The same user inside: what it makes in Writable belongs to the user.
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	return nil
}

// confined is the other side: klabel's own program, started to confine itself.
// It is here and not in main so that tests need nothing special.
func init() {
	if len(os.Args) > 2 && os.Args[0] == confinedName {
		err := becomeConfined(os.Args[1], os.Args[2:])
		fmt.Fprintf(os.Stderr, "cannot confine the program: %v\n", err)
		os.Exit(confinedFailed)
	}
	if len(os.Args) > 3 && os.Args[0] == limitedName {
		err := becomeLimited(os.Args[1], os.Args[2], os.Args[3:])
		fmt.Fprintf(os.Stderr, "cannot limit the program: %v\n", err)
		os.Exit(confinedFailed)
	}
}

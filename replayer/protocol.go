package replayer

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"klabel/label"
)

// The shared memory between a worker and its fork server. The layout, in the
// machine's byte order, is that of struct klabel_shm in runtime_c/replay/replay.h.
const (
	shmMagic   = "KLABELRP"
	shmVersion = 3

	offVersion     = 8
	offLabels      = 12
	offInputSize   = 16
	offTestLength  = 20
	offTimeout     = 24
	offMemory      = 28
	offFile        = 32
	offProcesses   = 36
	offEnd         = 40
	offSignal      = 44
	offExit        = 48
	offHits        = 52
	offTooBig      = 56
	offDirty       = 60
	offBeyond      = 64
	offHead        = 68
	offTail        = 72
	offLost        = 76
	offNanoseconds = 80
	offReason      = 88

	offAsked     = offReason + reasonSize
	offAskedLost = offAsked + 4

	reasonSize = 1024
	askedSize  = 64 << 10
	askedHead  = 20 // struct klabel_asked
	outputSize = 64 << 10
	shmHeader  = 4096
)

// Ends of a run, enum klabel_end.
const (
	endNormal = iota
	endSignal
	endSanitizer
	endAbort
	endTimeout
	endMemory
	endDiverged
	endReported
	endBroken
)

// sharedMemory is one mapping. It is not safe for concurrent use; a program
// under test may write anything into it, so what is read is checked.
type sharedMemory struct {
	file   *os.File
	mem    []byte
	labels int
	asked  int // offset of the records of inputs
	list   int // offset of the list of hit labels
	input  int // offset of the room for the test
}

func newSharedMemory(o Options, testSize int) (*sharedMemory, error) {
	labels := int(o.MaxID) + 1
	s := &sharedMemory{labels: labels}
	s.asked = shmHeader + outputSize
	s.list = s.asked + askedSize + (labels+7)&^7
	s.input = s.list + 4*labels
	room := max(64<<10, testSize+testSize/2)
	fd, err := unix.MemfdCreate("klabel-replay", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("cannot make shared memory: %w", err)
	}
	s.file = os.NewFile(uintptr(fd), "klabel-replay")
	size := s.input + room
	err = s.file.Truncate(int64(size))
	if err == nil {
		s.mem, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		s.file.Close()
		return nil, fmt.Errorf("cannot map %d bytes of shared memory: %w", size, err)
	}
	copy(s.mem, shmMagic)
	s.put(offVersion, shmVersion)
	s.put(offLabels, labels)
	s.put(offInputSize, room)
	s.put(offTimeout, int(o.TestTimeout.Milliseconds()))
	s.put(offMemory, o.MemoryMB)
	s.put(offFile, o.FileMB)
	s.put(offProcesses, o.Processes)
	return s, nil
}

func (s *sharedMemory) put(off, v int) { binary.NativeEndian.PutUint32(s.mem[off:], uint32(v)) }
func (s *sharedMemory) get(off int) int {
	return int(binary.NativeEndian.Uint32(s.mem[off:]))
}

// room is how large a test may be.
func (s *sharedMemory) room() int { return len(s.mem) - s.input }

func (s *sharedMemory) setTest(b []byte, o Options) {
	copy(s.mem[s.input:], b)
	s.put(offTestLength, len(b))
	s.put(offTimeout, max(1, int(o.TestTimeout.Milliseconds())))
	s.put(offMemory, o.MemoryMB)
	s.put(offFile, o.FileMB)
	s.put(offProcesses, o.Processes)
}

// hits are the labels that were hit, in the order of the first time.
func (s *sharedMemory) hits() []label.ID {
	n := min(s.get(offHits), s.labels)
	if n == 0 {
		return nil
	}
	ids := make([]label.ID, 0, n)
	for i := range n {
		if id := s.get(s.list + 4*i); id < s.labels {
			ids = append(ids, label.ID(id))
		}
	}
	return ids
}

func (s *sharedMemory) reason() string {
	b := s.mem[offReason : offReason+reasonSize]
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// output is what the program printed, without its middle if that is long.
func (s *sharedMemory) output() string {
	const half = outputSize / 2
	out := s.mem[shmHeader : shmHeader+outputSize]
	head := out[:min(s.get(offHead), half)]
	tail := out[half : half+min(s.get(offTail), half)]
	if lost := s.get(offLost); lost > 0 {
		return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, lost, tail)
	}
	return string(head) + string(tail)
}

// inputs are what the program asked for, in that order. It is nil when they are
// not all there.
func (s *sharedMemory) inputs() []Asked {
	b := s.mem[s.asked : s.asked+min(s.get(offAsked), askedSize)]
	if s.get(offAskedLost) > 0 {
		return nil
	}
	var out []Asked
	for len(b) >= askedHead {
		u32 := func(off int) uint32 { return binary.NativeEndian.Uint32(b[off:]) }
		name, size := uint64(u32(0)), uint64(u32(4))
		if name+size > uint64(len(b)-askedHead) {
			return nil // written over by the program
		}
		in := Asked{Low: int32(u32(8)), High: int32(u32(12)) - 1, MadeUp: u32(16) != 0}
		in.Ranged = in.Low != 0 || in.High != -1
		in.Name = string(b[askedHead : askedHead+name])
		in.Data = append([]byte{}, b[askedHead+name:askedHead+name+size]...)
		out = append(out, in)
		b = b[askedHead+name+size:]
	}
	return out
}

func (s *sharedMemory) duration() time.Duration {
	return time.Duration(binary.NativeEndian.Uint64(s.mem[offNanoseconds:]))
}

func (s *sharedMemory) close() {
	if s.mem != nil {
		_ = unix.Munmap(s.mem) // fails only for an address that is no mapping
		s.mem = nil
	}
	s.file.Close()
}

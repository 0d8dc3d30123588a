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
	shmVersion = 8

	offVersion     = 8
	offLabels      = 12
	offInputSize   = 16
	offTestLength  = 20
	offTimeout     = 24
	offMemory      = 28
	offFile        = 32
	offProcesses   = 36
	offEntry       = 40
	offInput       = 44
	offEnd         = 48
	offSignal      = 52
	offExit        = 56
	offHits        = 60
	offTooBig      = 64
	offDirty       = 68
	offBeyond      = 72
	offHead        = 76
	offTail        = 80
	offLost        = 84
	offNanoseconds = 88
	offReason      = 96

	offAsked     = offReason + reasonSize
	offAskedLost = offAsked + 4
	offReadTo    = offAskedLost + 4

	reasonSize = 1024
	askedSize  = 1 << 22
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

// sharedMemory is one mapping, of the result and the test. No process that runs a
// test has it. It is not safe for concurrent use.
type sharedMemory struct {
	file   *os.File
	mem    []byte
	labels int
	input  int // offset of the room for the test
}

const (
	offRecords = shmHeader + outputSize // of inputs
	offList    = offRecords + askedSize // of hit labels
)

func newSharedMemory(o Options, testSize int) (*sharedMemory, error) {
	labels := int(o.MaxID) + 1
	s := &sharedMemory{labels: labels}
	page := os.Getpagesize()
	pages := func(n int) int { return (n + page - 1) / page * page }
	s.input = pages(offList + 4*labels)
	room := pages(max(64<<10, testSize+testSize/2))
	fd, err := unix.MemfdCreate("klabel-replay", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("cannot make shared memory: %w", err)
	}
	s.file = os.NewFile(uintptr(fd), "klabel-replay")
	size := s.input + room
	err = s.file.Truncate(int64(size))
	if err == nil { // the program's constructors have it too: a shorter file would end klabel
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
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
	s.put(offInput, s.input)
	s.setLimits(o)
	return s, nil
}

func (s *sharedMemory) setLimits(o Options) {
	s.put(offTimeout, max(1, int(o.TestTimeout.Milliseconds())))
	s.put(offMemory, o.MemoryMB)
	s.put(offFile, o.FileMB)
	s.put(offProcesses, o.Processes)
}

func (s *sharedMemory) put(off, v int) { binary.NativeEndian.PutUint32(s.mem[off:], uint32(v)) }
func (s *sharedMemory) get(off int) int {
	return int(binary.NativeEndian.Uint32(s.mem[off:]))
}

// room is how large a test may be.
func (s *sharedMemory) room() int { return len(s.mem) - s.input }

func (s *sharedMemory) setTest(b []byte, entry int, o Options) {
	copy(s.mem[s.input:], b)
	s.put(offTestLength, len(b))
	s.put(offEntry, entry)
	s.setLimits(o)
}

// hits are the labels that were hit, in the order of the first time.
func (s *sharedMemory) hits() []label.ID {
	n := min(s.get(offHits), s.labels)
	if n == 0 {
		return nil
	}
	ids := make([]label.ID, 0, n)
	for i := range n {
		if id := s.get(offList + 4*i); id < s.labels {
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
	b := s.mem[offRecords : offRecords+min(s.get(offAsked), askedSize)]
	if s.get(offAskedLost) > 0 {
		return nil
	}
	out := []Asked{}
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

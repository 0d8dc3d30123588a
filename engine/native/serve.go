package native

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"klabel/engine/native/exec"
	"klabel/engine/native/ir"
	"klabel/ktest"
)

// order is a line of the serving form's input: a slice, the end of one, or a test
// that somebody else has found for the slice that runs.
type order struct {
	Slice uint64   `json:"slice"`
	Image [][]byte `json:"image,omitempty"` // the program's files, with the first slice; any bytes, hence in base64
	Args  [][]byte `json:"args,omitempty"`  // options, the program's name, its arguments
	Stop  bool     `json:"stop,omitempty"`  // the slice is to end gently
	Seed  []byte   `json:"seed,omitempty"`  // a .ktest
}

// answer is a line of its output: a slice has ended, or the image is read and its first one begins.
type answer struct {
	Slice uint64 `json:"slice"`
	Begun bool   `json:"begun,omitempty"`
	Error string `json:"error,omitempty"` // as a run of its own would print before exit code 1
	Last  bool   `json:"last,omitempty"`  // the process has grown and takes no more
}

// slice is an order that was read.
type slice struct {
	order
	ctx    context.Context
	cancel context.CancelFunc
	seeds  chan []exec.Object
}

// waitingSeeds are how many seeds may wait in a process; further ones are dropped.
const waitingSeeds = 256

// serve reads the C library at once, an image with the first slice, and explores
// slices of it, one at a time, each as a run of its own would. What a slice finds
// is in its output directory when it is answered. The end of the input, as a
// signal, ends the slice that runs and the process.
func serve(ctx context.Context, im *image, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slices := make(chan slice, 1)
	go func() {
		defer cancel()
		if err := readOrders(ctx, stdin, slices); err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", Subcommand, err)
		}
	}()
	im.library(ctx, ir.Usual())
	base := uint64(0)
	for {
		var s slice
		select {
		case <-ctx.Done():
			return 0
		case s = <-slices:
		}
		for _, f := range s.Image {
			im.files = append(im.files, string(f))
		}
		im.begun = func() { // where that fails, so does the answer at the end
			_ = tell(stdout, answer{Slice: s.Slice, Begun: true})
		}
		a := answer{Slice: s.Slice}
		if err := im.slice(s.ctx, s.Args, s.seeds, stderr); err != nil {
			a.Error = err.Error()
		}
		s.cancel()
		if base == 0 {
			base = resident()
		}
		a.Last = ctx.Err() != nil || resident() > 3*base+growth
		if tell(stdout, a) != nil || a.Last {
			return 0
		}
	}
}

func tell(stdout io.Writer, a answer) error {
	line, err := json.Marshal(a)
	if err == nil {
		_, err = stdout.Write(append(line, '\n'))
	}
	return err
}

// growth is how much memory, in bytes, a process may hold beyond what the image
// needs and still take another slice. Starting anew costs less than the time in
// which so much is filled.
const growth = 256 << 20

// resident is the memory that the process holds for its heap.
func resident() uint64 {
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	return ms.HeapSys - ms.HeapReleased
}

// slice is one exploration from its command line.
func (im *image) slice(ctx context.Context, line [][]byte, seeds <-chan []exec.Object, stderr io.Writer) error {
	var s settings
	args := make([]string, len(line))
	for i, a := range line {
		args[i] = string(a)
	}
	fs := newFlagSet(io.Discard)
	if err := s.parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() == 0 || s.output == "" {
		return errors.New("a slice needs --output-dir and the program's name")
	}
	s.explorer.Seeds = seeds
	return im.explore(ctx, &s, fs.Args(), stderr)
}

// readOrders passes slices on and stops those that are to end. A second slice
// waits for the first; what follows it is not read before.
func readOrders(ctx context.Context, in io.Reader, slices chan<- slice) error {
	lines := bufio.NewReader(in)
	running := map[uint64]slice{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var o order
		if err := json.Unmarshal(line, &o); err != nil {
			return fmt.Errorf("an order that is none: %w", err)
		}
		if s, ok := running[o.Slice]; ok && (o.Stop || o.Seed != nil) {
			if o.Stop {
				s.cancel()
			} else {
				s.seed(o.Seed)
			}
			continue
		}
		if o.Stop || o.Seed != nil { // for one that is over
			continue
		}
		s := slice{order: o, seeds: make(chan []exec.Object, waitingSeeds)}
		s.ctx, s.cancel = context.WithCancel(ctx)
		clear(running)
		running[o.Slice] = s
		select {
		case slices <- s:
		case <-ctx.Done():
			s.cancel()
			return nil
		}
	}
}

// seed hands a test to the exploration; what is none, or one too many, is dropped.
func (s slice) seed(data []byte) {
	t, err := ktest.Parse(data)
	if err != nil {
		return
	}
	select {
	case s.seeds <- objects(t):
	default:
	}
}

package native

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// order is a line of the serving form's input: a slice, or the end of one.
type order struct {
	Slice uint64   `json:"slice"`
	Args  [][]byte `json:"args,omitempty"` // options, the program's name, its arguments; any bytes, hence in base64
	Stop  bool     `json:"stop,omitempty"` // the slice is to end gently
}

// answer is a line of its output: a slice has ended.
type answer struct {
	Slice uint64 `json:"slice"`
	Error string `json:"error,omitempty"` // as a run of its own would print before exit code 1
	Last  bool   `json:"last,omitempty"`  // the process has grown and takes no more
}

// slice is an order that was read.
type slice struct {
	order
	ctx    context.Context
	cancel context.CancelFunc
}

// serve reads an image, with the first slice, and explores slices of it, one at
// a time, each as a run of its own would. What a slice finds is in its output
// directory when it is answered. The end of the input, as a signal, ends the
// slice that runs and the process.
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
	base := uint64(0)
	for {
		var s slice
		select {
		case <-ctx.Done():
			return 0
		case s = <-slices:
		}
		a := answer{Slice: s.Slice}
		if err := im.slice(s.ctx, s.Args, stderr); err != nil {
			a.Error = err.Error()
		}
		s.cancel()
		if base == 0 {
			base = resident()
		}
		a.Last = ctx.Err() != nil || resident() > 3*base+growth
		line, err := json.Marshal(a)
		if err == nil {
			_, err = stdout.Write(append(line, '\n'))
		}
		if err != nil || a.Last {
			return 0
		}
	}
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
func (im *image) slice(ctx context.Context, line [][]byte, stderr io.Writer) error {
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
	return im.explore(ctx, &s, fs.Args(), stderr)
}

// readOrders passes slices on and stops those that are to end. A second slice
// waits for the first; what follows it is not read before.
func readOrders(ctx context.Context, in io.Reader, slices chan<- slice) error {
	lines := bufio.NewReader(in)
	running := map[uint64]context.CancelFunc{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var o order
		if err := json.Unmarshal(line, &o); err != nil {
			return fmt.Errorf("an order that is none: %w", err)
		}
		if o.Stop {
			if end := running[o.Slice]; end != nil {
				end()
			}
			continue
		}
		s := slice{order: o}
		s.ctx, s.cancel = context.WithCancel(ctx)
		clear(running)
		running[o.Slice] = s.cancel
		select {
		case slices <- s:
		case <-ctx.Done():
			s.cancel()
			return nil
		}
	}
}

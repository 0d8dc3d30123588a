package native

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/toolchain"
)

// imagesAtHand is for how many images processes wait that have read them.
const imagesAtHand = 3

// pool holds the processes of an engine. Those without work wait for more of
// the same image; there are at most imagesAtHand times as many of them as processors.
type pool struct {
	mu     sync.Mutex
	all    map[*server]bool
	idle   []*server // the one used last at the end
	spare  *server   // has no image yet
	closed bool
}

// server is a process that serves one image: the first that it is given.
type server struct {
	image   string   // "" until then
	load    []string // files of the image, not yet sent
	process *toolchain.Process
	cancel  context.CancelFunc
	in, out *os.File
	answers *bufio.Reader
	slice   uint64 // the last one
	sending sync.Mutex
	begun   chan struct{} // closed when the image is read
}

// outcome is how a slice ended.
type outcome struct {
	err  error
	last bool // the process can take no more
}

// imageKey tells programs apart: files of the same name may have been written
// anew.
func imageKey(argv, files []string) (string, error) {
	key := strings.Join(slices.Concat(argv, files), "\x00")
	for _, f := range files {
		st, err := os.Stat(f)
		if err != nil {
			return "", fmt.Errorf("cannot read the program: %w", err)
		}
		key += fmt.Sprintf("\x00%d %d", st.Size(), st.ModTime().UnixNano())
	}
	return key, nil
}

// take returns a process for an image; give gets it back.
func (p *pool) take(argv, files []string) (*server, error) {
	image, err := imageKey(argv, files)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the native engine is closed")
	}
	for i := len(p.idle) - 1; i >= 0; i-- {
		s := p.idle[i]
		if s.image != image {
			continue
		}
		p.idle = append(p.idle[:i], p.idle[i+1:]...)
		if s.dead() { // somebody ended it
			delete(p.all, s)
			s.end()
			continue
		}
		return s, nil
	}
	s := p.spare
	p.spare = nil
	if s == nil || s.dead() {
		if s, err = p.start(argv); err != nil {
			return nil, err
		}
	}
	s.image, s.load = image, files
	return s, nil
}

// warm starts a process that has no image yet.
func (p *pool) warm(argv []string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.spare != nil {
		return nil
	}
	s, err := p.start(argv)
	p.spare = s
	return err
}

// start starts a process; the caller holds the lock.
func (p *pool) start(argv []string) (*server, error) {
	s, err := startServer(argv)
	if err != nil {
		return nil, err
	}
	if p.all == nil {
		p.all = map[*server]bool{}
	}
	p.all[s] = true
	return s, nil
}

// give takes a process back; one too many is ended.
func (p *pool) give(s *server, how outcome) {
	p.mu.Lock()
	surplus := s
	if !how.last && !p.closed {
		p.idle = append(p.idle, s)
		surplus = nil
		if len(p.idle) > imagesAtHand*runtime.NumCPU() {
			surplus = p.idle[0]
			p.idle = p.idle[1:]
		}
	}
	delete(p.all, surplus)
	p.mu.Unlock()
	if surplus != nil {
		surplus.end()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	all := p.all
	p.all, p.idle, p.spare, p.closed = nil, nil, nil, true
	p.mu.Unlock()
	var wg sync.WaitGroup
	for s := range all {
		wg.Go(s.end)
	}
	wg.Wait()
}

func startServer(argv []string) (*server, error) {
	orders, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer orders.Close()
	out, answers, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer answers.Close()
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{cancel: cancel, in: in, out: out, answers: bufio.NewReader(out),
		begun: make(chan struct{})}
	s.process, err = toolchain.Start(ctx, toolchain.Command{Argv: argv, Stdin: orders, Stdout: answers, Grace: grace})
	if err != nil {
		cancel()
		in.Close()
		out.Close()
		return nil, err
	}
	return s, nil
}

// hasBegun reports whether the process has read its image.
func (s *server) hasBegun() bool {
	select {
	case <-s.begun:
		return true
	default:
		return false
	}
}

func (s *server) dead() bool {
	select {
	case <-s.process.Done():
		return true
	default:
		return false
	}
}

// explore hands a slice to the process; its outcome is sent once.
func (s *server) explore(args []string) <-chan outcome {
	s.slice++
	n := s.slice
	done := make(chan outcome, 1)
	o := order{Slice: n}
	for _, a := range args {
		o.Args = append(o.Args, []byte(a))
	}
	for _, f := range s.load {
		o.Image = append(o.Image, []byte(f))
	}
	s.load = nil
	err := s.send(o)
	go func() {
		if err == nil {
			var a answer
			if a, err = s.answer(); err == nil && a.Begun {
				close(s.begun)
				a, err = s.answer()
			}
			if err == nil {
				var why error
				if a.Error != "" {
					why = errors.New(a.Error)
				}
				done <- outcome{err: why, last: a.Last}
				return
			}
		}
		select { // that it died is the cause
		case <-s.process.Done():
		case <-time.After(time.Second):
			s.cancel()
		}
		if _, cause := s.process.Wait(); cause != nil {
			err = cause
		}
		done <- outcome{err: err, last: true}
	}()
	return done
}

// halt makes the slice end gently.
func (s *server) halt(slice uint64) {
	if s.send(order{Slice: slice, Stop: true}) != nil {
		s.cancel()
	}
}

func (s *server) send(o order) error {
	line, err := json.Marshal(o)
	s.sending.Lock()
	defer s.sending.Unlock()
	if err == nil {
		_, err = s.in.Write(append(line, '\n'))
	}
	return err
}

func (s *server) answer() (a answer, err error) {
	line, err := s.answers.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("the process ended without an answer: %w", err)
	}
	return a, json.Unmarshal(line, &a)
}

// end ends the process and returns when nothing of it is left. The end of its
// input is what makes it leave by itself, unless it is reading an image.
func (s *server) end() {
	s.in.Close()
	if s.image != "" && !s.hasBegun() {
		s.process.Kill()
	}
	select {
	case <-s.process.Done():
	case <-time.After(grace):
		s.process.Kill()
		<-s.process.Done()
	}
	s.cancel()
	s.out.Close()
}

package playback

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"klabel/disk"
)

// Options of a playback. The zero value plays at the recorded speed.
type Options struct {
	Speed     float64       // 2 is twice as fast; 0 is 1
	HaltDelay time.Duration // how long the "solver" runs on after a halt
}

func (o Options) speed() float64 {
	if o.Speed <= 0 {
		return 1
	}
	return o.Speed
}

// player is one playback.
type player struct {
	r      *Recording
	out    string
	o      Options
	played atomic.Int64 // tests written
	errors []string     // the messages of errors that are still to come
}

// play writes the recording into out, which must not exist. It ends early,
// with halted set, when the context ends.
func (p *player) play(ctx context.Context) (halted bool, err error) {
	if err := os.Mkdir(p.out, 0o775); err != nil {
		return false, fmt.Errorf("cannot create %q: %w", p.out, err)
	}
	head, tail := p.split("info", "Finished: ")
	before, after := p.split("messages.txt", "KLEE: ERROR: ")
	p.errors = errorMessages(after)
	warnings, _ := os.ReadFile(filepath.Join(p.r.dir, "warnings.txt")) // an absent file is an empty one
	if err := errors.Join(p.append("info", head), p.append("messages.txt", before),
		p.append("warnings.txt", string(warnings))); err != nil {
		return false, err
	}
	begin := time.Now()
	for _, t := range p.r.tests {
		due := begin.Add(time.Duration(float64(t.at) / p.o.speed()))
		if !sleep(ctx, time.Until(due)) {
			return true, p.halt()
		}
		if err := p.write(t); err != nil {
			return false, err
		}
		p.played.Add(1)
	}
	if !sleep(ctx, time.Until(begin.Add(time.Duration(float64(p.r.end)/p.o.speed())))) {
		return true, p.halt()
	}
	if err := p.append("messages.txt", strings.Join(p.errors, "")); err != nil {
		return false, err
	}
	if err := disk.Copy(filepath.Join(p.r.dir, "run.stats"), filepath.Join(p.out, "run.stats")); err != nil &&
		!errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return false, p.append("info", tail)
}

// halt ends as KLEE does when it is told to: with its totals so far.
func (p *player) halt() error {
	time.Sleep(p.o.HaltDelay)
	var b strings.Builder
	for _, name := range []string{"explored paths", "total queries", "total instructions", "completed paths",
		"partially completed paths"} {
		fmt.Fprintf(&b, "KLEE: done: %s = %d\n", name, p.soFar(p.r.totals[name]))
	}
	fmt.Fprintf(&b, "KLEE: done: generated tests = %d\n", p.played.Load())
	return errors.Join(p.append("messages.txt", "KLEE: halting execution\n"), p.append("info", b.String()))
}

// soFar is the share of a total that belongs to the tests played.
func (p *player) soFar(total uint64) uint64 {
	if len(p.r.tests) == 0 {
		return total
	}
	return total * uint64(p.played.Load()) / uint64(len(p.r.tests))
}

// write writes the files of a test one after another. Each grows in place and
// is closed before the next one is made.
func (p *player) write(t test) error {
	for _, name := range t.files {
		if rank(name) == 2 && len(p.errors) > 0 {
			if err := p.append("messages.txt", p.errors[0]); err != nil {
				return err
			}
			p.errors = p.errors[1:]
			break
		}
	}
	for _, name := range t.files {
		content, err := os.ReadFile(filepath.Join(p.r.dir, name))
		if err != nil {
			return err
		}
		if err := grow(filepath.Join(p.out, name), content); err != nil {
			return err
		}
	}
	return nil
}

// grow writes a file in pieces, with time between them for a reader to find
// half of it.
func grow(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	for _, piece := range [][]byte{content[:len(content)/3], content[len(content)/3 : len(content)-len(content)/4],
		content[len(content)-len(content)/4:]} {
		time.Sleep(300 * time.Microsecond)
		if _, err := f.Write(piece); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// split cuts a recorded text before the first line that starts with a prefix.
func (p *player) split(name, prefix string) (before, after string) {
	text, err := os.ReadFile(filepath.Join(p.r.dir, name))
	if err != nil {
		return "", "" // a KLEE that was killed early may not have written it
	}
	s := string(text)
	if strings.HasPrefix(s, prefix) {
		return "", s
	}
	if i := strings.Index(s, "\n"+prefix); i >= 0 {
		return s[:i+1], s[i+1:]
	}
	return s, ""
}

// errorMessages gives, for each error, its line and what follows it.
func errorMessages(text string) (messages []string) {
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(line, "KLEE: ERROR: ") || len(messages) == 0 {
			messages = append(messages, line)
		} else {
			messages[len(messages)-1] += line
		}
	}
	return messages
}

func (p *player) append(name, text string) error {
	f, err := os.OpenFile(filepath.Join(p.out, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"

	"klabel/campaign"
)

// trackerLength is that of the bar in the live line.
const trackerLength = 20

// plainEvery is the time between two lines where no terminal shows a live one.
const plainEvery = 10 * time.Second

// progressView shows a campaign: a live line on a terminal, a plain one now and
// then elsewhere. It writes to standard error, so that results stay clean.
type progressView struct {
	w    io.Writer
	live bool

	mu      sync.Mutex
	writer  progress.Writer
	tracker *progress.Tracker
	ended   chan struct{}
	title   string
	last    time.Time
}

func newProgress(w io.Writer) *progressView {
	f, ok := w.(*os.File)
	return &progressView{w: w, live: ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"}
}

// Title sets a word that stands before everything.
func (v *progressView) Title(s string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.title = s + ": "
}

// Stage tells what begins.
func (v *progressView) Stage(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = time.Now()
	if !v.live || name == "concluding" {
		v.stopLive()
		return
	}
	v.startLive()
	v.tracker.UpdateMessage(v.fitting(v.title + name))
}

// Progress tells how far a campaign is.
func (v *progressView) Progress(p campaign.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := fmt.Sprintf("%s%d of %d labels covered, %d tests, %d paths, %s left", v.title, p.Covered, p.Labels, p.Tests,
		p.Paths, p.Left.Round(time.Second))
	if v.live {
		v.startLive()
		v.tracker.UpdateTotal(int64(p.Labels))
		v.tracker.SetValue(int64(min(p.Resolved, p.Labels-1))) // the last step would end the line
		v.tracker.UpdateMessage(v.fitting(text))
		return
	}
	if time.Since(v.last) >= plainEvery {
		v.last = time.Now()
		fmt.Fprintf(v.w, "klabel: %s\n", text)
	}
}

// fitting cuts a text so that the live line stays one line: what is longer than
// the terminal could not be written over.
func (v *progressView) fitting(text string) string {
	const bar = trackerLength + 10 // with what stands around it
	room := max(columns(v.w)-bar, 20)
	if r := []rune(text); len(r) > room {
		return string(r[:room-1]) + "…"
	}
	return text
}

// Note says something once, above the live line.
func (v *progressView) Note(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.writer == nil {
		say(v.w, text)
		return
	}
	for _, line := range said(text, columns(v.w)) {
		v.writer.Log("%s", line)
	}
}

// Close takes the live line away. It may be called more than once.
func (v *progressView) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stopLive()
}

func (v *progressView) startLive() {
	if v.writer != nil {
		return
	}
	pw := progress.NewWriter()
	pw.SetOutputWriter(v.w)
	pw.SetAutoStop(false)
	pw.SetTrackerLength(trackerLength)
	pw.SetUpdateFrequency(150 * time.Millisecond)
	pw.SetStyle(progress.StyleBlocks)
	pw.Style().Visibility = progress.StyleVisibility{Tracker: true}
	pw.SetTrackerPosition(progress.PositionRight)
	v.tracker = &progress.Tracker{Total: 1 << 30, RemoveOnCompletion: true}
	v.writer = pw
	pw.AppendTracker(v.tracker)
	v.ended = make(chan struct{})
	go func() {
		pw.Render()
		close(v.ended)
	}()
}

func (v *progressView) stopLive() {
	if v.writer == nil {
		return
	}
	v.tracker.MarkAsDone()
	for v.writer != nil {
		v.writer.Stop() // which does nothing before the line has begun
		select {
		case <-v.ended:
			v.writer = nil
		case <-time.After(5 * time.Millisecond):
		}
	}
}

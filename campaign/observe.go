package campaign

import (
	"sync"
	"time"

	"github.com/tliron/commonlog"
)

// log takes what only somebody who asks for it (-v) wants to read.
var log = commonlog.GetLogger("klabel.campaign")

// Progress is a glimpse at a running campaign.
type Progress struct {
	Labels   int // of the program
	Covered  int
	Resolved int // covered, infeasible, deselected or redundant
	Tests    int // replayed so far
	Paths    uint64
	Left     time.Duration // until the budget ends
}

// Observer is told what a campaign does. Its methods are called from several
// goroutines, and return quickly.
type Observer interface {
	Stage(name string) // what begins now: "reading", "compiling", "exploring", ...
	Progress(Progress) // now and then while engines run
	Note(text string)  // something that a person should know, once
}

// Silent is an Observer that wants to know nothing.
type Silent struct{}

// Stage does nothing.
func (Silent) Stage(string) {}

// Progress does nothing.
func (Silent) Progress(Progress) {}

// Note does nothing.
func (Silent) Note(string) {}

// once passes each note on once: the same remark comes from many entries.
type once struct {
	Observer
	mu   sync.Mutex
	said map[string]bool
}

// Note passes text on the first time.
func (o *once) Note(text string) {
	o.mu.Lock()
	if o.said == nil {
		o.said = map[string]bool{}
	}
	said := o.said[text]
	o.said[text] = true
	o.mu.Unlock()
	if !said {
		o.Observer.Note(text)
	}
}

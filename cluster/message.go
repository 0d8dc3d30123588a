package cluster

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"klabel/engine"
)

// Protocol is the version of what goes over the wire.
const Protocol = 1

// Campaign is what a coordinator tells of itself, over and over and when asked.
type Campaign struct {
	Protocol int
	ID       string
	Epoch    string // a start of its coordinator
	Version  string // of klabel
	Program  string // for people
	Keys     []string
	AckWait  time.Duration
	Attempts int
	Ended    bool
}

// Slice is a piece of work on the queue. JetStream counts its attempts.
type Slice struct {
	Epoch   string
	ID      uint64
	Name    string // of the entry, for people and for the judge
	Entry   string // C function
	Image   Image
	Key     string // of the engine
	Options engine.Options
}

// Image names a program by content: the files of a program, and a library for
// engines that call native code.
type Image struct {
	Files   []File
	Preload *File `json:",omitempty"`
}

// File is a file by content. Its name counts for nothing but the ending.
type File struct {
	Name string
	Sum  string // SHA-256
	Mode uint32 `json:",omitempty"`
}

// Kinds of what a worker says of a slice.
const (
	begun  = "begun"
	test   = "test"
	failed = "failed" // an attempt, for a reason that is the worker's
	ended  = "ended"
)

// Out is what a worker says of a slice.
type Out struct {
	Kind    string
	Epoch   string
	ID      uint64
	Attempt uint64
	Worker  string

	// of a test
	Name   string      `json:",omitempty"` // of the entry
	Engine string      `json:",omitempty"`
	Mode   engine.Mode `json:",omitempty"`
	Test   []byte      `json:",omitempty"`
	Suffix string      `json:",omitempty"`
	Error  []byte      `json:",omitempty"` // content of the file with the suffix

	// of an end or a failure
	Stats    engine.Stats `json:",omitzero"`
	Why      string       `json:",omitempty"`
	SetAside bool         `json:",omitempty"`
}

// Beat is a worker's sign of life.
type Beat struct {
	Worker  string
	Host    string
	Slots   int
	Keys    []string
	Refuses string `json:",omitempty"` // why it takes nothing of this campaign
	Gen     uint64 // of its view
	Busy    []Busy `json:",omitempty"`
	Left    bool   `json:",omitempty"`
}

// Busy is a slice at work.
type Busy struct {
	Epoch string
	ID    uint64
	Paths uint64
}

// Stop asks whoever works on a slice to end it.
type Stop struct {
	Epoch string
	ID    uint64
}

// How often a worker gives a sign of life at least, and how long it may be silent before
// its slots are not counted on. Each sign wakes the server, which is most of what a
// worker that finds nothing costs.
const (
	beatEvery = 4 * time.Second
	beatLost  = 13 * time.Second
)

// beatEvery is often enough for slices to stay with their worker.
func (c Campaign) beatEvery() time.Duration {
	return min(beatEvery, max(c.AckWait*2/5, 50*time.Millisecond))
}

// Key names an engine so that two of the same key can do the same work: its
// release, and the clang whose output it reads.
func Key(name, version string, clang int) string {
	return keyText.ReplaceAllString(name+"-"+version+"-clang"+strconv.Itoa(clang), "_")
}

var keyText = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// The subjects. Those of slices and results are kept in streams.
const (
	subjectCampaigns = "klabel.campaigns" // announcements
	subjectHello     = "klabel.hello"     // asks for them
)

func (c Campaign) subject(parts ...string) string {
	return "klabel." + c.ID + "." + strings.Join(parts, ".")
}

func (c Campaign) slices() string  { return "klabel-" + c.ID + "-slices" }
func (c Campaign) results() string { return "klabel-" + c.ID + "-results" }
func (c Campaign) images() string  { return "klabel-" + c.ID + "-images" }

// consumer is the name of the queue of an engine's slices.
func consumer(key string) string { return "workers-" + key }

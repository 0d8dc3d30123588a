package sample

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

const (
	patience     = 400 // replays without a new label before it is tired
	mostChanged  = 256 // items of an input at a time
	maxBases     = 64  // tests that covered nothing new are bases as long as there are fewer
	lastBases    = 4   // every other test is drawn from one of so many, the latest
	mostHalvings = 4   // of the time that a test may take
)

// Sampler draws tests. It learns what inputs the program asks for by replaying:
// a test without objects makes the replay program ask for all of them.
type Sampler struct {
	mu     sync.Mutex
	rnd    *rand.Rand
	corpus []Base            // complete tests that covered something, the empty one first
	marks  []byte            // characters that the program speaks of
	names  []string          // words of the program's that may be names
	asked  map[string]bool   // names of the inputs that some test was asked for
	most   int               // inputs that a test was asked for
	met    map[label.ID]bool // by tests that were drawn here
	longs  int               // long texts drawn
	wholes map[string]int    // texts drawn that are a number alone, by input
	misses int
	hung   int           // tests out of time since one ended
	ended  time.Duration // the longest that one took that ended
	speech *speech       // nil: inputs are no conversations

	began bool          // first is known
	first []*ktest.Test // to draw before all others: see fills

	fractions map[string][]input.Scalar // floating-point numbers, by input
	known     []float64                 // those of the program
}

// Base is a test with what is known of the ranges of its inputs.
type Base struct {
	test   *ktest.Test
	ranges map[string][2]int32
	worded bool   // a conversation with words, not numbers alone
	trying string // an answer that may end the run
}

// New begins with a test of no inputs: args are its program's arguments, said what the
// program speaks of. What is drawn depends on the seed and on what is learnt alone.
func New(seed, stream uint64, said *Constants, args []string) *Sampler {
	return &Sampler{rnd: rand.New(rand.NewPCG(seed, stream)), marks: said.Marks, names: nameable(said.Words),
		asked: map[string]bool{}, met: map[label.ID]bool{},
		corpus: []Base{{test: &ktest.Test{Version: ktest.Version, Args: args}}}}
}

// Patience is how long the next test may take: each that runs out of time halves it, so
// that a program which an empty input never ends has others in the time that there is.
func (s *Sampler) Patience(longest time.Duration, load float64) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hung == 0 {
		return longest
	}
	brief := time.Duration(float64(longest>>min(s.hung, mostHalvings)) * max(1, load))
	return min(longest, max(brief, 2*s.ended))
}

// Timed notes how a replay of a test that was drawn from a base ended.
func (s *Sampler) Timed(base Base, v label.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if base.trying != "" && v.Outcome == label.Normal {
		s.speech.left(base.trying)
	}
	if s.speech != nil && replayer.Starved(v) {
		s.speech.starves = true
	}
	if v.Outcome != label.TimedOut {
		s.hung, s.ended = 0, max(s.ended, v.Duration)
	} else if !replayer.Starved(v) {
		s.hung++
		if base.worded && s.speech != nil {
			s.speech.mute++ // who reads numbers goes on and on where there is none
		}
	}
}

// Tired reports whether nothing new came for long.
func (s *Sampler) Tired() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.speech != nil && s.speech.starves {
		return s.misses >= talkPatience
	}
	return s.misses >= patience
}

// Learn keeps a productive test as a base for others. So it does with one that was asked
// for an input which none was before, or for more than any was: the first replay, of the empty test,
// knows what pointers there are, and only where they are not NULL what they lead to. And with one
// that met a label which none from here did, whoever covers it: it got further.
func (s *Sampler) Learn(base Base, t *ktest.Test, made []replayer.Asked, v label.Verdict, productive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if productive {
		s.misses = 0
	} else {
		s.misses++
	}
	further := len(made) > s.most
	s.most = max(s.most, len(made))
	if v.Outcome == label.Normal {
		for _, id := range v.Hits {
			further = further || !s.met[id]
			s.met[id] = true
		}
	}
	for _, m := range made {
		if !s.asked[m.Name] {
			s.asked[m.Name], further = true, true
		}
	}
	if !productive && !(further && len(s.corpus) < maxBases) {
		return
	}
	next := Base{test: replayer.Complete(t, made), ranges: map[string][2]int32{}}
	for name, r := range base.ranges {
		next.ranges[name] = r
	}
	for _, m := range made {
		if m.Ranged {
			next.ranges[m.Name] = [2]int32{m.Low, m.High}
		}
	}
	s.corpus = append(s.corpus, next)
}

// Draw makes a test from one of the corpus by changing some of its inputs.
func (s *Sampler) Draw() (base Base, t *ktest.Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.corpus) > 1 && !s.began {
		s.began, s.first = true, fills(s.corpus[1])
	}
	if len(s.first) > 0 {
		t, s.first = s.first[0], s.first[1:]
		return s.corpus[1], t
	}
	from := s.corpus
	if s.rnd.IntN(2) == 0 {
		from = from[max(0, len(from)-lastBases):]
	}
	base = from[s.rnd.IntN(len(from))]
	if len(s.corpus) == 1 && (s.speech == nil || inputOf(base.test) == nil) {
		return base, base.test
	}
	if t := s.tryToLeave(&base); t != nil {
		return base, t
	}
	if s.speech != nil && s.rnd.IntN(4) > 0 && (s.speech.starves || s.rnd.IntN(2) == 0) {
		if t := s.talk(&base); t != nil {
			return base, t
		}
	}
	t = &ktest.Test{Version: base.test.Version, Args: base.test.Args}
	all := s.rnd.IntN(3) == 0
	var repeats []int
	filled := false // by many calls of one function: what single ones change beside it mostly spoils it
	for _, o := range base.test.Objects {
		data := append([]byte{}, o.Data...)
		if filled && single(o) && s.rnd.IntN(2) == 0 {
			t.Objects = append(t.Objects, ktest.Object{Name: o.Name, Data: []byte{0}})
			continue
		}
		if (all || s.rnd.IntN(2) == 0) && !strings.HasSuffix(o.Name, "_stat") { // a file stays one
			r, ranged := base.ranges[o.Name]
			switch {
			case ranged && len(data) == 1: // a choice; any is as good as another
				data[0] = byte(r[0]) + byte(s.rnd.IntN(int(r[1]-r[0])+1))
			case ranged && len(data) == 4:
				binary.LittleEndian.PutUint32(data, uint32(s.inRange(r)))
			case len(s.fractions[o.Name]) > 0 && s.rnd.IntN(8) > 0:
				s.fraction(o.Name, data, base.test.Objects)
			case len(data) >= longLeast && s.rnd.IntN(longEvery(len(data))) == 0:
				if n := len(data) - 1; strings.HasSuffix(o.Name, ":content") {
					s.long(data[:n])
					data[n] = byte(n) // it tells how many of the others there are
				} else {
					s.long(data)
				}
			case s.repeating(o.Name, len(data)):
				repeats = append(repeats, len(t.Objects))
			case s.formats(o.Name, len(data)) && s.rnd.IntN(3) == 0:
				s.format(data)
			case composed(o.Name, len(data)) && s.rnd.IntN(3) == 0:
				s.compose(o.Name, data)
			case isText(o.Name) && len(data) > 0 && s.rnd.IntN(4) > 0:
				s.words(data)
			default:
				s.change(data, base.test.Objects)
			}
		}
		t.Objects = append(t.Objects, ktest.Object{Name: o.Name, Data: data})
		filled = filled || o.Name == fillers && len(data) == 1 && data[0] > 0
	}
	for _, i := range repeats {
		if o := t.Objects[i]; !s.repeat(o.Name, o.Data, t.Objects) {
			s.compose(o.Name, o.Data)
		}
	}
	return base, t
}

// isText reports whether an input is one that programs read as text: standard
// input, an argument, a file's contents.
func isText(name string) bool {
	return name == "stdin" || strings.HasPrefix(name, "arg") || strings.HasSuffix(name, "_data")
}

// words fills text with what most programs ask for: numbers, small ones above all,
// and here and there a letter, apart by a blank.
func (s *Sampler) words(text []byte) {
	var b []byte
	for len(b) < len(text) {
		switch s.rnd.IntN(12) {
		case 0:
			b = append(b, byte('a'+s.rnd.IntN(26)))
		case 1:
			b = append(b, byte(' '+s.rnd.IntN(95)))
		case 2:
			b = strconv.AppendInt(b, int64(s.rnd.IntN(2000)-1000), 10)
		default:
			b = strconv.AppendInt(b, int64(s.rnd.IntN(8)), 10)
		}
		b = append(b, " \n"[s.rnd.IntN(2)])
	}
	copy(text, b)
	if s.rnd.IntN(4) == 0 { // it ends early
		clear(text[s.rnd.IntN(len(text)):])
	}
}

// inRange favours the ends of a range.
func (s *Sampler) inRange(r [2]int32) int32 {
	switch s.rnd.IntN(4) {
	case 0:
		return r[0]
	case 1:
		return r[1]
	}
	return int32(int64(r[0]) + s.rnd.Int64N(int64(r[1])-int64(r[0])+1))
}

// change gives an object new bytes: a scalar gets a value, anything larger is
// taken for an array of bytes or of ints, of which some items change.
func (s *Sampler) change(data []byte, others []ktest.Object) {
	switch n := len(data); {
	case n == 1 || n == 2 || n == 4 || n == 8:
		put(data, s.value(n, others))
	case n > 0:
		width := 1
		if n%4 == 0 && s.rnd.IntN(2) == 0 {
			width = 4
		}
		for range 1 + s.rnd.IntN(min(max(1, n/width), mostChanged)) { // people read what a large one comes to
			at := s.rnd.IntN(n/width) * width
			put(data[at:at+width], s.value(width, others))
		}
	}
}

// value draws a number of n bytes: a boundary, a small one, one that another
// input has, its neighbour, or any.
func (s *Sampler) value(n int, others []ktest.Object) uint64 {
	switch s.rnd.IntN(8) {
	case 0:
		return 0
	case 1:
		edges := []uint64{1, ^uint64(0), 1 << (8*n - 1), 1<<(8*n-1) - 1, 1<<(8*n-1) + 1}
		return edges[s.rnd.IntN(len(edges))]
	case 2, 3:
		return uint64(s.rnd.IntN(16))
	case 4:
		if n == 1 {
			return uint64(' ' + s.rnd.IntN(95))
		}
		return uint64(int64(s.rnd.IntN(400) - 200))
	case 5, 6:
		if o := others[s.rnd.IntN(len(others))]; len(o.Data) >= n {
			var b [8]byte
			copy(b[:], o.Data[:n])
			return binary.LittleEndian.Uint64(b[:]) + uint64(int64(s.rnd.IntN(3)-1))
		}
		return uint64(s.rnd.IntN(256))
	}
	return s.rnd.Uint64()
}

func put(data []byte, v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(data, b[:len(data)])
}

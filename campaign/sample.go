package campaign

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// The cheap pass before engines and provers: random and boundary inputs through
// the replay program. It covers the easy labels, so that dearer methods need
// not look at them (Bardin et al., ICST 2015, found this order best).
const (
	sampleTime    = time.Second
	samplePatient = 400 // replays without a new label before it gives up

	// Of many entries all together get this share of the budget, and each at
	// least so much.
	sampleShare = 0.08
	sampleLeast = 30 * time.Millisecond

	mostChanged = 256 // items of an input at a time

	// Tests that covered nothing new are bases as long as there are fewer.
	maxBases = 16

	// So long is waited for a replay that has begun; where entries are many, for so many
	// times an entry's share, for some hang with every input.
	samplePatience = 400 * time.Millisecond
	sampleShares   = 4
	sampleBriefest = 100 * time.Millisecond
)

// random is who makes the tests of this pass.
const random = "random"

// sampler draws tests. It learns what inputs the program asks for by replaying:
// a test without objects makes the replay program ask for all of them.
type sampler struct {
	mu     sync.Mutex
	rnd    *rand.Rand
	corpus []sample        // complete tests that covered something, the empty one first
	marks  []byte          // characters that the program speaks of
	asked  map[string]bool // names of the inputs that some test was asked for
	longs  int             // long texts drawn
	misses int
	hung   int           // tests out of time since one ended
	ended  time.Duration // the longest that one took that ended
}

// sample is a test with what is known of the ranges of its inputs.
type sample struct {
	test   *ktest.Test
	ranges map[string][2]int32
}

// sample runs the pass: a single entry with all of the judge's workers, many
// side by side, each for a share of the time, those that reach most first.
func (c *session) sample(ctx context.Context, ways []*way) {
	workers := c.judge.pool.Workers()
	ways = slices.DeleteFunc(slices.Clone(ways), func(w *way) bool { return w.settled })
	slices.SortStableFunc(ways, func(a, b *way) int { return len(b.near) - len(a.near) })
	if len(ways) == 1 {
		ctx, cancel := context.WithTimeout(ctx, 2*sampleTime)
		defer cancel()
		c.sampleEntry(ctx, ways[0], workers, sampleTime)
		return
	}
	each, all := sampleTimes(c.job.Budget, workers, len(ways), len(c.prog.all()))
	if c.job.FunctionBudget == 0 {
		all = min(all, max(time.Until(c.began.Add(c.job.Budget))/2, sampleTime)) // the engines' time, too
	}
	ctx, cancel := context.WithTimeout(ctx, all)
	defer cancel()
	var g errgroup.Group
	g.SetLimit(workers)
	for _, w := range ways {
		g.Go(func() error {
			c.sampleEntry(ctx, w, 1, each)
			return nil
		})
	}
	_ = g.Wait()
	log.Debugf("sampled %d entries for %v each, at most %v: %d labels covered", len(ways), each, all, c.st.Covered())
}

// sampleTimes is how long each of many entries is sampled, and all together: a
// replay may take longer than an entry's share, where the machine is slow, or the
// entries are many, and what is left of the budget is the engine's. Those of a further
// image have the part that they are of all entries.
func sampleTimes(budget time.Duration, workers, ways, of int) (each, all time.Duration) {
	share := sampleShare * float64(budget) * float64(ways) / float64(max(1, of))
	each = time.Duration(share * float64(workers) / float64(max(1, ways)))
	return min(max(each, sampleLeast), sampleTime), max(time.Duration(2*share), sampleTime)
}

// sampleEntry draws no further test when the time is up. What is being replayed then
// is not cut off at once: that costs the server that replays it, and the find.
func (c *session) sampleEntry(ctx context.Context, w *way, workers int, limit time.Duration) {
	end := time.Now().Add(limit)
	ctx, cancel := context.WithTimeout(ctx, max(2*limit, samplePatience))
	defer cancel()
	longest := c.job.TestTimeout
	if workers == 1 {
		brief := max(sampleShares*limit, sampleBriefest)
		longest = min(time.Duration(float64(brief)*max(1, machineLoad())), samplePatience)
	}
	k, e := c.judge, w.entry
	near := func() bool {
		for id := range w.near {
			if c.isOpen(id) {
				return true
			}
		}
		return false
	}
	s := &sampler{rnd: rand.New(rand.NewPCG(uint64(c.job.Seed), 17+uint64(e.number))), marks: c.prog.marks(),
		asked:  map[string]bool{},
		corpus: []sample{{test: &ktest.Test{Version: ktest.Version, Args: c.sampleArgs(e)}}}}
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for ctx.Err() == nil && (time.Now().Before(end) || s.filling()) && !s.tired() && near() &&
				k.failed() == nil {
				base, test := s.draw()
				v, made, err := k.poolOf(e).ReplayBriefly(ctx, e.number, test, s.patience(longest))
				if err != nil {
					return // the time is up, or the engine's pass will meet it again
				}
				s.timed(v)
				test, v, made = k.left(ctx, e, test, v, made)
				s.learn(base, test, made, k.sampled(ctx, e, test, v, made))
			}
		}()
	}
	wg.Wait()
}

// sampleArgs are the arguments of drawn tests: where the engine's tests have
// options that make arguments, files and standard input symbolic, so have these.
func (c *session) sampleArgs(e entry) []string {
	if !e.ownMain() || !posixArgs(c.job.ProgramArgs) {
		return nil
	}
	return append([]string{c.job.program()}, c.job.ProgramArgs...)
}

// sampled keeps a drawn test if it covers something new, and reports whether
// it did. Failures of drawn inputs are not reported: an engine that finds one
// says more about it.
func (k *judge) sampled(ctx context.Context, e entry, t *ktest.Test, v label.Verdict, made []replayer.Asked) bool {
	v = k.counted(v)
	if v.Outcome != label.Normal {
		return false
	}
	news := false
	for _, id := range v.Hits {
		if s, ok := k.st.Status(id); ok && s.Status != label.Covered {
			news = true
			break
		}
	}
	if !news {
		return false
	}
	whole := k.fixedInput(ctx, e, replayer.Complete(t, made), v)
	v, checked, err := k.confirmed(ctx, e, whole, v)
	if err != nil {
		return false // the time is up
	}
	k.mu.Lock()
	k.generated++
	k.replayed++
	k.mu.Unlock()
	if err := k.keep(whole, origin{entry: e, mode: k.mode}, v, checked, time.Now(), random); err != nil {
		k.fail(err)
	}
	return true
}

// patience is how long the next test may take: each that runs out of time halves it, so
// that a program which an empty input never ends has others in the time that there is.
func (s *sampler) patience(longest time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hung == 0 {
		return longest
	}
	brief := time.Duration(float64(longest>>min(s.hung, mostHalvings)) * max(1, machineLoad()))
	return min(longest, max(brief, 2*s.ended))
}

func (s *sampler) timed(v label.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.Outcome != label.TimedOut {
		s.hung, s.ended = 0, max(s.ended, v.Duration)
	} else if !replayer.Starved(v) {
		s.hung++
	}
}

func (s *sampler) tired() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.misses >= samplePatient
}

// learn keeps a productive test as a base for others. So it does with one that was asked
// for an input which none was before: the first replay, of the empty test, knows what
// pointers there are, and only where they are not NULL what they lead to.
func (s *sampler) learn(base sample, t *ktest.Test, made []replayer.Asked, productive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if productive {
		s.misses = 0
	} else {
		s.misses++
	}
	further := false
	for _, m := range made {
		if !s.asked[m.Name] {
			s.asked[m.Name], further = true, true
		}
	}
	if !productive && !(further && len(s.corpus) < maxBases) {
		return
	}
	next := sample{test: replayer.Complete(t, made), ranges: map[string][2]int32{}}
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

// draw makes a test from one of the corpus by changing some of its inputs.
func (s *sampler) draw() (base sample, t *ktest.Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	base = s.corpus[s.rnd.IntN(len(s.corpus))]
	if len(s.corpus) == 1 {
		return base, base.test
	}
	t = &ktest.Test{Version: base.test.Version, Args: base.test.Args}
	all := s.rnd.IntN(3) == 0
	for _, o := range base.test.Objects {
		data := append([]byte{}, o.Data...)
		if (all || s.rnd.IntN(2) == 0) && !strings.HasSuffix(o.Name, "_stat") { // a file stays one
			r, ranged := base.ranges[o.Name]
			switch {
			case ranged && len(data) == 4:
				binary.LittleEndian.PutUint32(data, uint32(s.inRange(r)))
			case len(data) >= longLeast && s.rnd.IntN(longEvery(len(data))) == 0:
				if n := len(data) - 1; strings.HasSuffix(o.Name, ":content") {
					s.long(data[:n])
					data[n] = byte(n) // it tells how many of the others there are
				} else {
					s.long(data)
				}
			case composed(o.Name, len(data)) && s.rnd.IntN(3) == 0:
				s.compose(o.Name, data)
			case isText(o.Name) && s.rnd.IntN(4) > 0:
				s.words(data)
			default:
				s.change(data, base.test.Objects)
			}
		}
		t.Objects = append(t.Objects, ktest.Object{Name: o.Name, Data: data})
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
func (s *sampler) words(text []byte) {
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
func (s *sampler) inRange(r [2]int32) int32 {
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
func (s *sampler) change(data []byte, others []ktest.Object) {
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
func (s *sampler) value(n int, others []ktest.Object) uint64 {
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

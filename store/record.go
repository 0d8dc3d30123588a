package store

import (
	"fmt"
	"slices"
	"time"

	"klabel/label"
)

// TestResult is a test and what its replay showed.
type TestResult struct {
	Name    string        `json:"name"`             // "test000017", or as kept under tests/
	File    string        `json:"file"`             // the .ktest file; in the store's folder, it moves with it
	Data    []byte        `json:"-"`                // what is in the file; needed where it covers something
	Entry   string        `json:"entry,omitempty"`  // way into the program; "" for its own main
	Hash    string        `json:"hash"`             // of the entry and the test's data: the same test twice is one
	Run     uint64        `json:"run,omitempty"`    // as StartRun numbered it; 0: the run started last, if it has not ended
	Engine  string        `json:"engine,omitempty"` // "klee", "native", "random"
	Mode    string        `json:"mode,omitempty"`
	At      time.Time     `json:"at"` // when the engine wrote it; zero: now
	Verdict label.Verdict `json:"verdict"`
	Given   []string      `json:"given,omitempty"` // what its driver made up, where it shows an error
	Program *TestProgram  `json:"program,omitempty"`
	// Anew says that the test has run once more, and may show something else: its
	// verdict takes the place of the one before.
	Anew bool `json:"-"`
}

// TestProgram is what a test in C was built into. It is the same again that is run
// to see whether the test still covers what it did.
type TestProgram struct {
	File string     `json:"file"` // in the store's folder
	Sum  string     `json:"sum"`  // SHA-256 of its bytes
	Hits []label.ID `json:"hits"` // as it numbers labels
}

// Test is a recorded test.
type Test struct {
	Number uint64     `json:"number"`          // from 1, in the order of recording
	Epoch  uint64     `json:"epoch"`           // the program and labels that it was replayed on
	First  []label.ID `json:"first,omitempty"` // labels that it was the first to cover
	// Dropped says that the test has left the suite, because others cover what it
	// covers. Neither its file nor its data is kept.
	Dropped bool   `json:"dropped,omitempty"`
	Sum     string `json:"sum,omitempty"` // SHA-256 of the data
	TestResult
}

// Contradiction is a label that a proof calls infeasible (or redundant) and a
// replay shows otherwise. The replay wins; both are kept.
type Contradiction struct {
	Label label.ID     `json:"label"`
	Claim label.Status `json:"claim"` // Infeasible, Duplicate or Subsumed
	Proof Reason       `json:"proof"`
	Test  uint64       `json:"test"`
	At    time.Time    `json:"at"`
}

func (c Contradiction) String() string {
	switch c.Claim {
	case label.Infeasible:
		return fmt.Sprintf("label %d is covered by test %d, but was proved infeasible by %s (%s)", c.Label, c.Test,
			c.Proof.Method, c.Proof.Text)
	case label.Duplicate:
		return fmt.Sprintf("label %d is no duplicate of %d as proved by %s (%s): test %d covers one of them alone",
			c.Label, c.Proof.Of, c.Proof.Method, c.Proof.Text, c.Test)
	}
	return fmt.Sprintf("label %d is not subsumed by %d as proved by %s (%s): test %d covers %[2]d alone", c.Label,
		c.Proof.Of, c.Proof.Method, c.Proof.Text, c.Test)
}

// Record stores a replayed test and returns the labels that it is the first to
// cover. A label counts only if the replay ended normally. The same name and
// hash again change nothing, unless the program has changed since. Hits of
// numbers that no label has are ignored. What is in the test's file is stored
// too, so that the caller may write the file after it.
func (s *Store) Record(r TestResult) (newly []label.ID, err error) {
	op, after := s.recording(r, &newly)
	if err := s.do(op, after); err != nil {
		return nil, err
	}
	return newly, nil
}

func (s *Store) recording(r TestResult, newly *[]label.ID) (op func(*txn) error, after func()) {
	if r.At.IsZero() {
		r.At = s.opts.Now()
	}
	return func(t *txn) error {
		*newly = nil
		key := r.key()
		ref, known := s.tests[key]
		if known && !ref.stale && !r.Anew {
			return nil
		}
		hits := normalHits(r.Verdict)
		sum, err := t.dataSum(r, ref, known)
		if err != nil {
			return err
		}
		if len(hits) > 0 && sum == "" {
			return fmt.Errorf("test %s covers labels and comes without its data", r.Name)
		}
		if !known {
			n, err := t.tx.Bucket(bucketTests).NextSequence()
			if err != nil {
				return fatalError{err}
			}
			ref = testRef{seq: n}
		}
		old := ref
		ref.stale, ref.dropped = false, false
		s.setTest(key, ref)
		t.undo = append(t.undo, func() {
			if known {
				s.setTest(key, old)
			} else {
				s.dropTest(key)
			}
		})
		test := Test{Number: ref.seq, Epoch: s.epoch, Sum: sum, TestResult: r}
		test.File = s.shorten(r.File)
		test.Program = r.Program.at(s.shorten)
		if test.Run == 0 {
			test.Run = s.run
		}
		if r.Data != nil {
			if err := t.putBytes(bucketData, seqKey(ref.seq), r.Data); err != nil {
				return err
			}
		}
		if known {
			t.uncover(ref.seq, hits)
		}
		if *newly, err = t.cover(&test, hits); err != nil {
			return err
		}
		t.setHits(ref.seq, hits)
		return t.put(bucketTests, seqKey(ref.seq), test)
	}, nil
}

func (s *Store) setTest(key string, ref testRef) {
	s.mu.Lock()
	s.tests[key] = ref
	s.mu.Unlock()
}

func (s *Store) dropTest(key string) {
	s.mu.Lock()
	delete(s.tests, key)
	s.mu.Unlock()
}

// normalHits returns the hits that count, in order, each once.
func normalHits(v label.Verdict) []label.ID {
	if v.Outcome != label.Normal {
		return nil
	}
	hits := slices.Clone(v.Hits)
	slices.Sort(hits)
	return slices.Compact(hits)
}

func holds(hits []label.ID, id label.ID) bool { _, ok := slices.BinarySearch(hits, id); return ok }

// uncover takes back what an earlier replay of the same test covered and this
// one does not, unless another test covers it.
func (t *txn) uncover(test uint64, hits []label.ID) {
	var other map[label.ID]uint64
	for id := range t.s.labels {
		st := t.state(id)
		if st.Status != label.Covered || st.Test != test || holds(hits, id) {
			continue
		}
		if other == nil {
			other = t.s.coverers(map[uint64]bool{test: true})
		}
		if n, ok := other[id]; ok {
			st.Test = n
		} else {
			st = State{Relation: st.Relation, At: t.s.opts.Now()}
		}
		t.dirty[id] = st
	}
}

// cover applies the hits of a test and returns the labels that were not
// covered before.
func (t *txn) cover(test *Test, hits []label.ID) (newly []label.ID, err error) {
	for _, id := range hits {
		if _, ok := t.s.labels[id]; !ok {
			continue
		}
		st := t.state(id)
		switch st.Status {
		case label.Deselected:
			if !st.unneeded() {
				continue
			}
		case label.Covered:
			if st.Test == test.Number {
				test.First = append(test.First, id)
			}
			continue
		case label.Infeasible:
			if err := t.contradict(id, label.Infeasible, *st.Reason, test.Number); err != nil {
				return nil, err
			}
		}
		st.Status, st.Reason, st.Test, st.At, st.Refused, st.GivenUp, st.Elapsed = label.Covered, nil, test.Number,
			test.At, false, false, 0
		if started := t.s.runStart[test.Run]; !started.IsZero() {
			st.Elapsed = max(0, test.At.Sub(started))
		}
		t.dirty[id] = st
		test.First = append(test.First, id)
		newly = append(newly, id)
	}
	return newly, t.checkRelations(hits, test.Number)
}

// setHits remembers the hits of a test, to check later claims against.
func (t *txn) setHits(test uint64, hits []label.ID) {
	old, known := t.s.hits[test]
	t.s.hits[test] = hits
	t.undo = append(t.undo, func() {
		if known {
			t.s.hits[test] = old
		} else {
			delete(t.s.hits, test)
		}
	})
}

// checkRelations drops the relations that a test's hits disprove: a duplicate
// is hit exactly when its original is, a subsumed label whenever the other is.
func (t *txn) checkRelations(hits []label.ID, test uint64) error {
	for _, id := range hits {
		if rel := t.state(id).Relation; rel != nil && rel.Kind == label.Duplicate && !holds(hits, rel.Of) {
			if err := t.unrelate(id, test); err != nil {
				return err
			}
		}
		for _, behind := range t.behind(id) {
			if !holds(hits, behind) {
				if err := t.unrelate(behind, test); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// behind returns the labels that stand behind id in this transaction.
func (t *txn) behind(id label.ID) []label.ID {
	var out []label.ID
	for _, b := range t.s.standFor[id] {
		if _, changed := t.dirty[b]; !changed {
			out = append(out, b)
		}
	}
	for b, st := range t.dirty {
		if st.Relation != nil && st.Relation.Of == id {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return out
}

func (t *txn) unrelate(id label.ID, test uint64) error {
	st := t.state(id)
	rel := st.Relation
	st.Relation = nil
	if st.Status == rel.Kind {
		st.Status, st.Reason = label.Unknown, nil
	}
	t.dirty[id] = st
	why := rel.Reason
	why.Of = rel.Of
	return t.contradict(id, rel.Kind, why, test)
}

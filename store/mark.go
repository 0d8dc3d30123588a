package store

import (
	"errors"
	"fmt"

	"klabel/label"
	"klabel/objective"
)

// contradict keeps a claim and the test that disproves it, once a method.
func (t *txn) contradict(id label.ID, claim label.Status, proof Reason, test uint64) error {
	known := false
	err := each(t.tx, bucketConflict, func(_ []byte, c Contradiction) error {
		known = known || c.Label == id && c.Claim == claim && c.Proof.Method == proof.Method && c.Proof.Of == proof.Of
		return nil
	})
	if err != nil || known {
		return err
	}
	n, err := t.tx.Bucket(bucketConflict).NextSequence()
	if err != nil {
		return fatalError{err}
	}
	return t.put(bucketConflict, seqKey(n), Contradiction{Label: id, Claim: claim, Proof: proof, Test: test,
		At: t.s.opts.Now()})
}

// Mark gives a label a status that no test gives: Infeasible, Duplicate,
// Subsumed (Reason.Of says of which label), Deselected, or Unknown to take
// such a one back. A label that a test covers stays covered: calling it
// infeasible is then kept as a contradiction, calling it redundant as its
// relation. Mark reports whether the claim contradicts a test.
func (s *Store) Mark(id label.ID, status label.Status, why Reason) (contradiction bool, err error) {
	if status == label.Covered || status == label.Pending {
		return false, fmt.Errorf("label %d cannot be marked as %v: only a replay covers", id, status)
	}
	err = s.do(func(t *txn) error {
		contradiction = false
		if _, ok := s.labels[id]; !ok {
			return fmt.Errorf("label %d: %w", id, ErrNoLabel)
		}
		bad, err := t.mark(id, status, why)
		contradiction = bad
		return err
	}, nil)
	return contradiction, err
}

// Unneeded is the method of a label that is deselected because what criteria ask
// of it is reached, or cannot be, without it. A test that hits it covers it all
// the same, and another program may need it again.
const Unneeded = "objective"

func (st State) unneeded() bool {
	return st.Status == label.Deselected && st.Reason != nil && st.Reason.Method == Unneeded
}

// SetNeeded deselects labels that nothing needs now and takes that back for those
// that are needed again. A label that others stand behind is worked on for them.
func (s *Store) SetNeeded(unneeded, needed []label.ID) error {
	if len(unneeded)+len(needed) == 0 {
		return nil
	}
	return s.do(func(t *txn) error {
		for _, id := range unneeded {
			st := t.state(id)
			if _, ok := s.labels[id]; !ok || st.Status != label.Unknown || len(t.behind(id)) > 0 {
				continue
			}
			t.dirty[id] = State{Status: label.Deselected, Reason: &Reason{Method: Unneeded}, Relation: st.Relation,
				At: s.opts.Now()}
		}
		for _, id := range needed {
			if st := t.state(id); st.unneeded() {
				t.dirty[id] = State{Relation: st.Relation, At: s.opts.Now()}
				t.wake[id] = true
			}
		}
		return nil
	}, nil)
}

// SetDecisions tells the store what criteria of pairs ask of the labels.
func (s *Store) SetDecisions(ds []objective.Decision) error {
	return s.do(func(t *txn) error {
		if len(ds) == 0 && len(s.asked) == 0 {
			return nil
		}
		return t.put(bucketMeta, keyAsked, ds)
	}, func() { s.asked = ds })
}

var errCircle = errors.New("would stand behind itself")

func (t *txn) mark(id label.ID, status label.Status, why Reason) (contradiction bool, err error) {
	st := t.state(id)
	switch status {
	case label.Duplicate, label.Subsumed:
		if bad, err := t.relate(id, status, why, &st); bad || err != nil {
			return bad, err
		}
	case label.Infeasible:
		if st.Status == label.Covered {
			return true, t.contradict(id, status, why, st.Test)
		}
		if st.Status == label.Infeasible {
			return false, nil // the first proof is as good
		}
		st.Status, st.Reason = status, &why
	case label.Deselected:
		if st.Status == label.Covered {
			return false, nil
		}
		st.Status, st.Reason = status, &why
	case label.Unknown:
		if st.Status == label.Covered {
			return false, nil
		}
		st = State{}
	}
	st.At = t.s.opts.Now()
	t.dirty[id] = st
	if status == label.Infeasible {
		return false, t.cascade(id, why)
	}
	return false, nil
}

// relate puts id behind why.Of, unless a test that is there says otherwise.
func (t *txn) relate(id label.ID, kind label.Status, why Reason, st *State) (contradiction bool, err error) {
	if _, ok := t.s.labels[why.Of]; !ok {
		return false, fmt.Errorf("label %d, %v of %d: %w", id, kind, why.Of, ErrNoLabel)
	}
	if why.Of == id {
		return false, fmt.Errorf("label %d, %v of %d: %w", id, kind, why.Of, errCircle)
	}
	circle := false // an earlier run has put them the other way round
	for rel := t.state(why.Of).Relation; rel != nil && !circle; rel = t.state(rel.Of).Relation {
		circle = rel.Of == id
	}
	for test, hits := range t.s.hits {
		this, other := holds(hits, id), holds(hits, why.Of)
		if this != other && (kind == label.Duplicate || other) {
			return true, t.contradict(id, kind, why, test)
		}
	}
	if circle {
		return false, nil
	}
	st.Relation = &Relation{Kind: kind, Of: why.Of, Reason: why}
	if st.Status == label.Covered || st.Status == label.Infeasible || st.Status == label.Deselected {
		return false, nil
	}
	switch t.state(why.Of).Status {
	case label.Infeasible:
		if kind == label.Subsumed {
			st.Relation = nil // says nothing
			return false, nil
		}
		st.Status, st.Reason = label.Infeasible, &Reason{Method: why.Method,
			Text: fmt.Sprintf("duplicate of label %d, which is infeasible", why.Of), Of: why.Of}
	case label.Deselected:
		// Nobody works on the other label: this one must not wait for it.
	default:
		st.Status, st.Reason = kind, &why
	}
	return false, nil
}

// cascade tells the labels behind id that it is infeasible: its duplicates are
// too, and what it was to subsume is to be found on its own.
func (t *txn) cascade(id label.ID, why Reason) error {
	for _, b := range t.behind(id) {
		st := t.state(b)
		if st.Relation.Kind == label.Subsumed {
			st.Relation = nil
			if st.Status == label.Subsumed {
				st.Status, st.Reason = label.Unknown, nil
			}
			t.dirty[b] = st
			continue
		}
		text := fmt.Sprintf("duplicate of label %d, which is infeasible: %s", id, why.Text)
		if _, err := t.mark(b, label.Infeasible, Reason{Method: why.Method, Text: text, Of: id}); err != nil {
			return err
		}
	}
	return nil
}

// Refuse says that the replay did not confirm a test for a pending label. The
// view shows it as refused: engines try anew, each path by itself, since the one
// after the next may lead to a good test. After Options.MaxRefusals it stays
// pending, so that they stop, until the next Open.
func (s *Store) Refuse(id label.ID, why string) (givenUp bool, err error) {
	err = s.do(func(t *txn) error {
		givenUp = false
		if _, ok := s.labels[id]; !ok {
			return fmt.Errorf("label %d: %w", id, ErrNoLabel)
		}
		st := t.state(id)
		if st.Status != label.Unknown && st.Status != label.Subsumed {
			return nil
		}
		s.mu.Lock()
		s.refusals[id]++
		n := s.refusals[id]
		s.mu.Unlock()
		t.undo = append(t.undo, func() { s.mu.Lock(); s.refusals[id]--; s.mu.Unlock() })
		st.Refused, st.GivenUp = true, n >= s.opts.MaxRefusals
		if st.Status == label.Unknown {
			st.Reason = &Reason{Method: "replay", Text: fmt.Sprintf("%d of its tests not confirmed, the last: %s", n,
				why)}
		}
		t.dirty[id] = st
		t.wake[id] = true
		givenUp = st.GivenUp
		return nil
	}, nil)
	return givenUp, err
}

// TryAgain opens the labels again that were given up: there are other ways to them.
func (s *Store) TryAgain() error {
	return s.do(func(t *txn) error {
		for id := range s.labels {
			st := t.state(id)
			if !st.GivenUp || st.Status != label.Unknown && st.Status != label.Subsumed {
				continue
			}
			s.mu.Lock()
			n := s.refusals[id]
			s.refusals[id] = 0
			s.mu.Unlock()
			t.undo = append(t.undo, func() { s.mu.Lock(); s.refusals[id] = n; s.mu.Unlock() })
			st.GivenUp = false
			t.dirty[id], t.wake[id] = st, true
		}
		return nil
	}, nil)
}

// Release says that the test that pending labels waited for does not cover them.
// As after Refuse they are not pending again.
func (s *Store) Release(ids []label.ID) error {
	if len(ids) == 0 {
		return nil
	}
	return s.do(func(t *txn) error {
		for _, id := range ids {
			st := t.state(id)
			if _, ok := s.labels[id]; !ok || st.Status != label.Unknown && st.Status != label.Subsumed || st.Refused {
				continue
			}
			st.Refused = true
			t.dirty[id], t.wake[id] = st, true
		}
		return nil
	}, nil)
}

// Explain says of labels why they are unknown. What is not unknown any more, and
// labels that the program does not have, are passed over.
func (s *Store) Explain(why map[label.ID]Reason) error {
	return s.do(func(t *txn) error {
		for id, r := range why {
			st := t.state(id)
			if _, ok := s.labels[id]; !ok || st.Status != label.Unknown {
				continue
			}
			st.Reason = &r
			t.dirty[id] = st
		}
		return nil
	}, nil)
}

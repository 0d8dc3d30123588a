package store

import (
	"encoding/json"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"klabel/label"
	"klabel/objective"
)

// Snapshot is the store at one moment.
type Snapshot struct {
	Program        string
	Labels         []LabelState // by number
	Decisions      []objective.Decision
	Tests          []Test // in the order of recording; stale ones left out
	Stale          int    // tests that await another replay
	Runs           []Run
	Contradictions []Contradiction
	Replays        []ReplayProgram
	Counts         Counts
	Criteria       []CriterionCounts
	Suite          TestCounts

	memory json.RawMessage // see Memory
}

// LabelState is a label with what is known of it.
type LabelState struct {
	label.Label
	State
}

// Counts are the totals of labels. A label is in one of Covered to Unknown:
// a redundant label that is covered is covered. Deselected ones are in none and
// not in Total.
type Counts struct {
	Total      int `json:"total"`
	Covered    int `json:"covered"`
	Infeasible int `json:"infeasible"`
	Duplicate  int `json:"duplicate"` // not covered yet, nor is what they stand behind
	Subsumed   int `json:"subsumed"`
	Unknown    int `json:"unknown"`
	// Beside the above: labels that say nothing of their own, covered or not,
	// and how many of the covered ones those are.
	Redundant        int `json:"redundant,omitempty"`
	RedundantCovered int `json:"redundant_covered,omitempty"`
	Deselected       int `json:"deselected,omitempty"`
}

func (c *Counts) add(st State) {
	if st.Status == label.Deselected {
		c.Deselected++
		return
	}
	c.Total++
	if st.Relation != nil && st.Status != label.Infeasible {
		c.Redundant++
		if st.Status == label.Covered {
			c.RedundantCovered++
		}
	}
	switch st.Status {
	case label.Covered:
		c.Covered++
	case label.Infeasible:
		c.Infeasible++
	case label.Duplicate:
		c.Duplicate++
	case label.Subsumed:
		c.Subsumed++
	default:
		c.Unknown++
	}
}

// CriterionCounts are the totals of one criterion. A label with several tags
// counts for each.
type CriterionCounts struct {
	Name string `json:"name"`
	Counts
}

// TestCounts are the totals of tests by outcome.
type TestCounts struct {
	Generated     int // all
	Normal        int
	RuntimeErrors int
	Diverged      int
}

// Snapshot reads all of the store. It sees every change that has returned.
func (s *Store) Snapshot() (*Snapshot, error) {
	out := &Snapshot{}
	s.mu.RLock()
	out.Program, out.Decisions = s.program, s.asked
	for id, l := range s.labels {
		out.Labels = append(out.Labels, LabelState{l, s.states[id]})
	}
	epoch := s.epoch
	s.mu.RUnlock()
	slices.SortFunc(out.Labels, func(a, b LabelState) int { return int(a.ID) - int(b.ID) })

	err := s.read(func(tx *bbolt.Tx) error {
		err := each(tx, bucketTests, func(_ []byte, t Test) error {
			if t.Epoch == epoch {
				t.File = s.lengthen(t.File)
				out.Tests = append(out.Tests, t)
			} else if !t.Dropped {
				out.Stale++
			}
			return nil
		})
		if err == nil {
			err = collect(tx, bucketRuns, &out.Runs)
		}
		if err == nil {
			err = collect(tx, bucketConflict, &out.Contradictions)
		}
		if err == nil {
			err = s.readReplays(tx, out)
		}
		if err == nil {
			err = s.readMemory(tx, out)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.count()
	return out, nil
}

func (o *Snapshot) count() {
	by := map[string]*CriterionCounts{}
	for _, l := range o.Labels {
		o.Counts.add(l.State)
		for _, name := range l.Criteria() {
			if by[name] == nil {
				by[name] = &CriterionCounts{Name: name}
			}
			by[name].add(l.State)
		}
	}
	for _, c := range by {
		o.Criteria = append(o.Criteria, *c)
	}
	slices.SortFunc(o.Criteria, func(a, b CriterionCounts) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range o.Tests {
		o.Suite.Generated++
		switch out := t.Verdict.Outcome; {
		case out == label.Normal:
			o.Suite.Normal++
		case out.RuntimeError():
			o.Suite.RuntimeErrors++
		default:
			o.Suite.Diverged++
		}
	}
}

// Tests returns all tests, stale ones included, in the order of recording.
func (s *Store) Tests() ([]Test, error) {
	var out []Test
	err := s.read(func(tx *bbolt.Tx) error {
		return collect(tx, bucketTests, &out)
	})
	for i := range out {
		out[i].File = s.lengthen(out[i].File)
	}
	return out, err
}

func collect[T any](tx *bbolt.Tx, bucket []byte, to *[]T) error {
	return each(tx, bucket, func(_ []byte, v T) error { *to = append(*to, v); return nil })
}

func (s *Store) read(f func(*bbolt.Tx) error) (err error) {
	defer s.guarded(&err)()
	select {
	case <-s.done:
		return ErrClosed
	default:
	}
	if s.broken.Load() {
		return ErrDamaged
	}
	return s.db.View(f)
}

package store

import (
	"encoding/json"
	"slices"

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
	Suite          TestCounts

	memory json.RawMessage // see Memory
}

// LabelState is a label with what is known of it.
type LabelState struct {
	label.Label
	State
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
				t.File, t.Program = s.lengthen(t.File), t.Program.at(s.lengthen)
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
		out[i].File, out[i].Program = s.lengthen(out[i].File), out[i].Program.at(s.lengthen)
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

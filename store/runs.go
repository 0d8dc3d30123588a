package store

import (
	"fmt"
	"time"

	"klabel/engine"
)

// Run is one run of an engine.
type Run struct {
	Number uint64        `json:"number"`
	Engine string        `json:"engine"`
	Mode   engine.Mode   `json:"mode,omitempty"`
	Dir    string        `json:"dir,omitempty"`   // the engine's output directory
	Entry  string        `json:"entry,omitempty"` // the name of the entry explored; "": the program's own main
	Start  time.Time     `json:"start"`
	End    time.Time     `json:"end"` // zero: it goes on, or klabel was killed
	Stats  *engine.Stats `json:"stats,omitempty"`
	Error  string        `json:"error,omitempty"` // how it failed
}

// StartRun records that an engine starts, and returns the run's number.
func (s *Store) StartRun(r Run) (uint64, error) {
	if r.Start.IsZero() {
		r.Start = s.opts.Now()
	}
	r.End, r.Stats, r.Error = time.Time{}, nil, ""
	err := s.do(func(t *txn) error {
		n, err := t.tx.Bucket(bucketRuns).NextSequence()
		if err != nil {
			return fatalError{err}
		}
		r.Number = n
		s.mu.Lock()
		old := s.run
		s.run, s.runStart[n] = n, r.Start
		s.mu.Unlock()
		t.undo = append(t.undo, func() { s.mu.Lock(); s.run = old; s.mu.Unlock() })
		return t.put(bucketRuns, seqKey(n), r)
	}, nil)
	return r.Number, err
}

// EndRun records a run's totals. failure is nil for a run that ended well.
func (s *Store) EndRun(number uint64, stats engine.Stats, failure error) error {
	return s.do(func(t *txn) error {
		var r Run
		if known, err := get(t.tx, bucketRuns, seqKey(number), &r); err != nil {
			return fatalError{err}
		} else if !known {
			return fmt.Errorf("run %d was never started", number)
		}
		r.End, r.Stats = s.opts.Now(), &stats
		if failure != nil {
			r.Error = failure.Error()
		}
		s.mu.Lock()
		old := s.run
		if s.run == number {
			s.run = 0
		}
		s.mu.Unlock()
		t.undo = append(t.undo, func() { s.mu.Lock(); s.run = old; s.mu.Unlock() })
		return t.put(bucketRuns, seqKey(number), r)
	}, nil)
}

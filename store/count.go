package store

import "klabel/label"

// Covered returns how many labels a replayed test covers by now.
func (s *Store) Covered() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, st := range s.states {
		if st.Status == label.Covered {
			n++
		}
	}
	return n
}

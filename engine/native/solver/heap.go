package solver

func (s *cdcl) bump(v int32) {
	s.act[v] += s.inc
	if s.place[v] >= 0 {
		s.heapUp(int(s.place[v]))
	}
}

func (s *cdcl) rescale() {
	for i := range s.act {
		s.act[i] *= 1e-100
	}
	s.inc *= 1e-100
}

func (s *cdcl) heapUp(i int) {
	v := s.heap[i]
	for i > 0 {
		p := (i - 1) / 2
		if s.act[s.heap[p]] >= s.act[v] {
			break
		}
		s.heap[i] = s.heap[p]
		s.place[s.heap[i]] = int32(i)
		i = p
	}
	s.heap[i] = v
	s.place[v] = int32(i)
}

func (s *cdcl) heapDown(i int) {
	v := s.heap[i]
	for {
		c := 2*i + 1
		if c >= len(s.heap) {
			break
		}
		if c+1 < len(s.heap) && s.act[s.heap[c+1]] > s.act[s.heap[c]] {
			c++
		}
		if s.act[s.heap[c]] <= s.act[v] {
			break
		}
		s.heap[i] = s.heap[c]
		s.place[s.heap[i]] = int32(i)
		i = c
	}
	s.heap[i] = v
	s.place[v] = int32(i)
}

func (s *cdcl) heapInsert(v int32) {
	s.heap = append(s.heap, v)
	s.place[v] = int32(len(s.heap) - 1)
	s.heapUp(len(s.heap) - 1)
}

func (s *cdcl) heapPop() int32 {
	v := s.heap[0]
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	s.place[v] = -1
	if len(s.heap) > 0 {
		s.heap[0] = last
		s.heapDown(0)
	}
	return v
}

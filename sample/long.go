package sample

// Limits of lines, names and stacks are passed by texts that are long and otherwise
// plain. To a solver each character of such a text is a question of its own; drawn at
// once, as one character many times, it costs a replay.

// longLeast is the size of an input from which on it is worth to be filled.
const longLeast = 16

// long fills text with one character: in turn one of the program's own all over, one of
// these before a letter, and both as it comes, shorter and with an end, too.
func (s *Sampler) long(text []byte) {
	n, at, fill := len(text), 0, byte('a')
	next := func(turn int) byte {
		if len(s.marks) == 0 {
			return s.mark()
		}
		return s.marks[turn%len(s.marks)]
	}
	turn := s.longs / 3
	switch s.longs++; s.longs % 3 {
	case 1:
		if turn > 0 {
			fill = next(turn - 1)
		}
	case 2:
		text[0], at = next(turn), 1
	default:
		if s.rnd.IntN(2) == 0 {
			n = 1 + s.rnd.IntN(n)
		}
		if s.rnd.IntN(2) == 0 {
			text[0], at = s.mark(), 1
		}
		if s.rnd.IntN(2) == 0 {
			fill = s.mark()
		}
	}
	for i := at; i < n; i++ {
		text[i] = fill
	}
	if s.longs%3 == 0 && n > 3 { // drivers end a text with a byte of their own
		text[n-3], text[n-2] = s.mark(), s.mark()
	}
	clear(text[n:])
}

// Filling reports whether long texts are being drawn and not each of the program's
// characters had its turns.
func (s *Sampler) Filling() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.longs > 0 && s.longs < 3*(len(s.marks)+1)
}

// longEvery says how seldom a text of so many characters is filled.
func longEvery(n int) int {
	if n > 64 {
		return 2
	}
	return 6
}

// mark draws one of the characters that the program speaks of.
func (s *Sampler) mark() byte {
	if len(s.marks) == 0 || s.rnd.IntN(8) == 0 {
		return byte(' ' + s.rnd.IntN(95))
	}
	return s.marks[s.rnd.IntN(len(s.marks))]
}

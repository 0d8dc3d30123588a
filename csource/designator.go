package csource

// bareDesignator is the end of a designator, [1] or [1].x, behind which no = stands as gcc lets it be left out; 0 if
// one does.
func (v *view) bareDesignator(at, to int) int {
	within := newLexer(v.src[:to], at+1)
	if t, ok := within.next(); !ok || v.src[t.start] == '[' { // [[an attribute]]
		return 0
	}
	for {
		end := skipBalanced(v.src[:to], at)
		if end < 0 {
			return 0
		}
		l := newLexer(v.src[:to], end)
		t, ok := l.next()
		for ok && v.src[t.start] == '.' {
			if t, ok = l.next(); ok {
				end = t.end
				t, ok = l.next()
			}
		}
		switch {
		case !ok || v.src[t.start] == '=' || v.src[t.start] == '.':
			return 0
		case v.src[t.start] != '[':
			return end
		}
		at = t.start
	}
}

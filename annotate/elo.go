package annotate

import "klabel/annotate/ctree"

// loopEntered: ELO, the body of every loop is run.
type loopEntered struct{}

func (loopEntered) mark(f *function, tag string) {
	for _, s := range f.stmts {
		if s.Loop() && s.Body != nil {
			f.start(s.Body).add("1", tag)
		}
	}
}

// loopSkipped: SLO, every loop that can be skipped is. A variable of the
// function remembers whether the body was entered since the loop began.
type loopSkipped struct{}

func (loopSkipped) mark(f *function, tag string) {
	for _, s := range f.stmts {
		if s.Kind != ctree.While && s.Kind != ctree.For || s.Cond == nil || s.Body == nil || loopIdiom(s, s.Cond) {
			continue
		}
		b := f.before(s)
		if b.name == "" {
			b.name = f.p.temp()
			f.entry().setup += "int " + b.name + " = 0; "
			b.setup += b.name + " = 0; "
			f.start(s.Body).setup += b.name + " = 1; "
		}
		b.after, _ = b.put(b.after, "!"+b.name, tag)
	}
}

// loopCounts: LOOP, every loop is left behind its end after no round, after one,
// and after more. A variable of the function counts up to two.
type loopCounts struct{}

func (loopCounts) mark(f *function, tag string) {
	for _, s := range f.stmts {
		if !s.Loop() || s.Cond == nil || s.Body == nil || loopIdiom(s, s.Cond) {
			continue
		}
		n := f.p.temp()
		f.entry().setup += "int " + n + " = 0; "
		b := f.before(s)
		b.setup += n + " = 0; "
		f.start(s.Body).setup += n + " += " + n + " < 2; "
		for rounds := range 3 {
			if rounds > 0 || s.Kind != ctree.Do {
				b.after, _ = b.put(b.after, n+" == "+itoa(rounds), tag)
			}
		}
	}
}

package exec

import (
	"fmt"
	"runtime/metrics"
	"time"
)

// checkLimits looks at the clock, the memory and the totals.
func (ex *Engine) checkLimits() {
	if ex.ctx.Err() != nil {
		if ex.o.MaxTime > 0 && time.Since(ex.start) >= ex.o.MaxTime {
			ex.stop("time limit of %s reached", ex.o.MaxTime)
		} else {
			ex.stop("stopped from outside")
		}
	}
	if ex.o.MaxInstr > 0 && ex.stats.Instructions >= ex.o.MaxInstr {
		ex.stop("instruction limit of %d reached", ex.o.MaxInstr)
	}
	if n := ex.stats.Completed + ex.stats.Partial; ex.o.MaxPaths > 0 && n >= uint64(ex.o.MaxPaths) && ex.live > 0 {
		ex.stop("path limit of %d reached", ex.o.MaxPaths)
	}
	if ex.o.MaxTests > 0 && ex.stats.Tests >= uint64(ex.o.MaxTests) && ex.live > 0 {
		ex.stop("test limit of %d reached", ex.o.MaxTests)
	}
	if ex.tick++; ex.tick%16 == 0 {
		ex.checkMemory()
	}
	if ex.o.Progress != nil && ex.tick%32 == 0 && time.Since(ex.told) > 300*time.Millisecond {
		ex.told = time.Now()
		ex.o.Progress(&ex.stats)
	}
}

// gauge reads what the last garbage collection left alive. Reading it stops
// nothing.
type gauge struct {
	samples []metrics.Sample
	dealt   uint64 // the collection up to which nothing is to be concluded
}

// start leaves out what an earlier exploration of the process has left behind: a
// collection that runs now may still find that alive.
func (g *gauge) start() {
	_, collections := g.read()
	g.dealt = collections + 1
}

func (g *gauge) read() (live, collections uint64) {
	if g.samples == nil {
		g.samples = []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	}
	metrics.Read(g.samples)
	return g.samples[0].Value.Uint64(), g.samples[1].Value.Uint64()
}

// share is the part of the limit that what is alive may take, in percent. The
// rest is for what is not collected yet: the collector needs room, or it takes
// all the time that there is.
const share = 40

// checkMemory drops states when what is alive outgrows its share; again only
// when a collection has shown what that gave.
func (ex *Engine) checkMemory() {
	if ex.o.MaxMemoryMB <= 0 {
		return
	}
	live, collections := ex.memory.read()
	limit := uint64(ex.o.MaxMemoryMB) << 20 * share / 100
	if live < limit || collections <= ex.memory.dealt {
		return
	}
	ex.memory.dealt = collections
	ex.whys[fmt.Sprintf("paths were dropped to stay within %d MB", ex.o.MaxMemoryMB)] = true
	ex.warnOnce(fmt.Sprintf("killing states (over the memory limit of %d MB)", ex.o.MaxMemoryMB))
	ex.b.SetLimit(ex.b.Nodes() / 2)
	ex.s.Forget()
	keep := float64(limit) * 2 / 3 / float64(live) // of the states, as if all were of one size
	dropped := ex.search.drop(max(1, ex.live-int(keep*float64(ex.live))))
	ex.live -= dropped
	ex.stats.Dropped += uint64(dropped)
	ex.stats.Partial += uint64(dropped)
	if dropped == 0 && live > uint64(ex.o.MaxMemoryMB)<<20*9/10 {
		ex.stop("memory limit of %d MB reached by a single path", ex.o.MaxMemoryMB)
	}
}

// room reports whether n bytes more fit within the memory limit. It ends the
// state if they don't.
func (ex *Engine) room(st *State, n uint64) bool {
	if n < 1<<20 || ex.o.MaxMemoryMB <= 0 {
		return true
	}
	limit := uint64(ex.o.MaxMemoryMB) << 20
	if live, _ := ex.memory.read(); n < limit && live < limit && n < (limit-live)/2 {
		return true
	}
	ex.giveUp(st, "%d bytes are more than the memory limit of %d MB leaves", n, ex.o.MaxMemoryMB)
	return false
}

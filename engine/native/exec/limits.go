package exec

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// checkLimits looks at the clock, the memory and the totals.
func (ex *Engine) checkLimits() {
	if ex.ctx.Err() != nil {
		if ex.o.MaxTime > 0 && time.Since(ex.start) >= ex.o.MaxTime {
			ex.stop("time limit of %s reached", ex.o.MaxTime.Round(time.Second/10))
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
	if ex.tick++; ex.tick%16 == 0 || ex.look {
		ex.look = false
		ex.checkMemory()
	}
	if ex.o.Progress != nil && ex.tick%32 == 0 && time.Since(ex.told) > 300*time.Millisecond {
		ex.told = time.Now()
		ex.o.Progress(&ex.stats)
	}
}

// hard counts the work that takes time and memory, so that the limits are looked at
// while a state does much of it with few instructions.
type hard struct {
	steps int    // instructions that are more than arithmetic of numbers
	bytes uint64 // moved by the large ones of them
}

// due reports whether the memory has to be looked at: every few milliseconds.
func (h *hard) due() bool { return h.steps >= 2048 || h.bytes >= 8<<20 }

// pause reports whether a state has to stop in the middle of its turn. It is asked after
// each instruction that is more than arithmetic of numbers; where all is well the order
// of an exploration does not depend on it.
func (ex *Engine) pause() bool {
	ex.hard.steps++
	if !ex.hard.due() {
		return ex.over.Load()
	}
	ex.look = ex.collect()
	return ex.look || ex.over.Load()
}

// late ends a state that is in the middle of a long piece of work when the time is
// over.
func (ex *Engine) late(st *State) bool {
	if !ex.over.Load() {
		return false
	}
	ex.giveUp(st, "the time is over")
	return true
}

// gauge reads what the last garbage collection left alive, and what the process
// holds. Reading it stops nothing.
type gauge struct {
	samples []metrics.Sample
	dealt   uint64   // the collection up to which nothing is to be concluded
	statm   *os.File // nil: there is none
	forced  uint64   // what the process held after the last collection that was forced
}

// start leaves out what an earlier exploration of the process has left behind: a
// collection that runs now may still find that alive.
func (g *gauge) start() {
	_, collections, _ := g.read()
	g.dealt = collections + 1
	g.statm, _ = os.Open("/proc/self/statm") // without it, what the runtime says has to do
}

func (g *gauge) close() {
	if g.statm != nil {
		g.statm.Close()
		g.statm = nil
	}
}

func (g *gauge) read() (live, collections, held uint64) {
	if g.samples == nil {
		for _, n := range []string{"/gc/heap/live:bytes", "/gc/cycles/total:gc-cycles", "/memory/classes/total:bytes",
			"/memory/classes/heap/released:bytes"} {
			g.samples = append(g.samples, metrics.Sample{Name: n})
		}
	}
	metrics.Read(g.samples)
	n := func(i int) uint64 { return g.samples[i].Value.Uint64() }
	return n(0), n(1), n(2) - n(3)
}

// resident is the memory that the process has, as the system counts it.
func (g *gauge) resident() uint64 {
	if g.statm != nil {
		var b [64]byte
		var size, pages uint64
		n, _ := g.statm.ReadAt(b[:], 0) // the end of the file comes with it
		if k, _ := fmt.Sscan(string(b[:n]), &size, &pages); k == 2 {
			return pages * uint64(os.Getpagesize())
		}
	}
	_, _, held := g.read()
	return held
}

// Parts of the limit, in percent. What is alive may take share; the rest is for
// what is not collected yet: the collector needs room, or it takes all the time that
// there is. Where the process comes to brink all the same, because it allocates faster
// than the collector gets a processor, it waits for a collection.
const (
	share = 50
	brink = 85
	pace  = 10 // by which it has to grow before it waits again
)

// collect collects garbage where the process has come close to its limit, and
// gives the memory back. It reports whether it did.
func (ex *Engine) collect() bool {
	ex.hard = hard{}
	limit := uint64(ex.o.MaxMemoryMB) << 20
	if limit == 0 {
		return false
	}
	now := ex.memory.resident()
	ex.memory.forced = min(ex.memory.forced, now)
	if now < limit*brink/100 || now < ex.memory.forced+limit*pace/100 {
		return false
	}
	debug.FreeOSMemory()
	ex.memory.forced = ex.memory.resident()
	return true
}

// checkMemory drops states when what is alive outgrows its share; again only
// when a collection has shown what that gave.
func (ex *Engine) checkMemory() {
	if ex.o.MaxMemoryMB <= 0 {
		return
	}
	ex.collect()
	live, collections, _ := ex.memory.read()
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
	if dropped == 0 && live > uint64(ex.o.MaxMemoryMB)<<20*3/4 {
		ex.stop("memory limit of %d MB reached by a single path", ex.o.MaxMemoryMB)
	}
}

// room reports whether n bytes more fit within the memory limit. It ends the
// state if they don't.
func (ex *Engine) room(st *State, n uint64) bool {
	ex.hard.bytes += n
	if n < 1<<20 || ex.o.MaxMemoryMB <= 0 {
		return true
	}
	ex.collect()
	limit := uint64(ex.o.MaxMemoryMB) << 20
	live, _, _ := ex.memory.read()
	if n < limit && live < limit && n < (limit-live)/2 && ex.memory.resident() < limit*(brink+pace)/100-n {
		return true
	}
	ex.giveUp(st, "an object is larger than the memory limit of %d MB leaves", ex.o.MaxMemoryMB)
	return false
}

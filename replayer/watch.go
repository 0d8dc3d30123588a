package replayer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// WatchOptions say what to watch. Only Dirs is necessary.
type WatchOptions struct {
	Dirs     []string        // need not exist yet
	Done     <-chan struct{} // closed when no engine writes any more
	Interval time.Duration   // between sweeps, DefaultInterval when 0
	NoNotify bool            // sweeps only, as where the kernel's watches run out
}

// DefaultInterval is the time between sweeps.
const DefaultInterval = 200 * time.Millisecond

// WatchWith delivers the tests that appear in the directories, each once. Done
// brings the last sweep, which takes what is there; the end of the context stops
// at once. Either closes the channel, until when the reader must read on.
//
// A test is taken when it must be complete: KLEE writes testN.ktest, then
// testN.*.err, then what belongs to test N+1, each to its end. So a .ktest that
// parses whole counts as soon as the first line of its error file is there, or
// the next test has begun; files with other names when they have not changed
// between two sweeps. The last sweep takes everything, and reports what is no
// test as a TestFile with a Problem.
func WatchWith(ctx context.Context, o WatchOptions) <-chan TestFile {
	if o.Interval <= 0 {
		o.Interval = DefaultInterval
	}
	w := &watcher{opts: o, ctx: ctx, out: make(chan TestFile, 16)}
	for _, d := range o.Dirs {
		w.folders = append(w.folders, &folder{path: filepath.Clean(d), tests: map[int]*family{},
			others: map[string]*other{}})
	}
	go w.run()
	return w.out
}

type watcher struct {
	opts    WatchOptions
	ctx     context.Context
	out     chan TestFile
	notify  *fsnotify.Watcher // nil when the system has none to give
	gap     bool              // notifications were lost: their order says nothing
	folders []*folder
}

// folder is what is known of one directory.
type folder struct {
	path    string
	info    os.FileInfo // of the directory being watched
	changed time.Time   // its modification time at the last sweep
	tests   map[int]*family
	others  map[string]*other // by stem
	newest  int               // largest number seen
	passed  int               // no file of a test below this number is still to come
}

// family is one test's files.
type family struct {
	stem   string
	suffix string
	ktest  bool // there is a .ktest
	taken  bool
}

// other is a .ktest that no engine has numbered.
type other struct {
	size  int64
	time  time.Time
	taken bool
}

func (w *watcher) run() {
	defer close(w.out)
	var events <-chan fsnotify.Event
	var errs <-chan error
	if !w.opts.NoNotify {
		if n, err := fsnotify.NewWatcher(); err == nil { // else the sweeps do
			w.notify, events, errs = n, n.Events, n.Errors
			defer n.Close()
		}
	}
	tick := time.NewTicker(w.opts.Interval)
	defer tick.Stop()
	if !w.sweep(false) {
		return
	}
	for {
		var ok bool
		select {
		case <-w.ctx.Done():
			return
		case <-w.opts.Done:
			w.sweep(true)
			return
		case e, open := <-events:
			if ok = true; open {
				ok = w.event(e)
			} else {
				events = nil
			}
		case _, open := <-errs: // an overflow, say: the next sweep finds all
			if ok = true; !open {
				errs = nil
			}
			w.gap = true
			for _, f := range w.folders {
				f.changed = time.Time{}
			}
		case <-tick.C:
			ok = w.sweep(false)
		}
		if !ok {
			return
		}
	}
}

// event looks at the test that the event is about and at the one before it,
// which the beginning of this one may have completed.
func (w *watcher) event(e fsnotify.Event) bool {
	if e.Op&^(fsnotify.Remove|fsnotify.Rename|fsnotify.Chmod) == 0 {
		return true
	}
	dir, name := filepath.Split(e.Name)
	n, _, numbered := parseEngineName(name)
	if !numbered {
		return true
	}
	for _, f := range w.folders {
		if f.path != filepath.Clean(dir) {
			continue
		}
		f.see(name)
		if !w.gap {
			f.passed = max(f.passed, n) // notifications come in the order of the files
		}
		for _, k := range []int{n - 1, n} {
			if !w.take(f, k, false) {
				return false
			}
		}
	}
	return true
}

// sweep looks at all directories, cheaply where nothing has changed.
func (w *watcher) sweep(final bool) bool {
	for _, f := range w.folders {
		if !w.sweepFolder(f, final) {
			return false
		}
	}
	return true
}

func (w *watcher) sweepFolder(f *folder, final bool) bool {
	info, err := os.Stat(f.path)
	if err != nil || !info.IsDir() {
		f.info = nil // watched again when it appears
		if final && err != nil && !errors.Is(err, fs.ErrNotExist) {
			return w.send(TestFile{Path: f.path, Problem: err})
		}
		return true
	}
	if w.notify != nil && (f.info == nil || !os.SameFile(f.info, info)) {
		_ = w.notify.Add(f.path) // without it the sweeps do
	}
	f.info = info
	// Files grow without a change of the directory, so those that are not
	// taken yet are looked at in any case. A clock tick can hold two changes.
	if info.ModTime() != f.changed || time.Since(f.changed) < 2*time.Second || final {
		entries, err := os.ReadDir(f.path)
		if err != nil {
			return !final || w.send(TestFile{Path: f.path, Problem: err})
		}
		f.changed = info.ModTime()
		// A listing can miss a file that is created meanwhile and hold a later
		// one: only what was there before it began is in order.
		f.passed = max(f.passed, f.newest)
		for _, e := range entries {
			f.see(e.Name())
		}
	}
	return w.takeAll(f, final)
}

// see notes a file's name.
func (f *folder) see(name string) {
	n, rest, numbered := parseEngineName(name)
	if !numbered {
		if stem, ok := strings.CutSuffix(name, ".ktest"); ok && f.others[stem] == nil {
			f.others[stem] = &other{size: -1}
		}
		return
	}
	t := f.tests[n]
	if t == nil {
		stem, _, _ := strings.Cut(name, ".")
		t = &family{stem: filepath.Join(f.path, stem)}
		f.tests[n] = t
	}
	f.newest = max(f.newest, n)
	if rest == "ktest" {
		t.ktest = true
	} else if isSuffix(rest) {
		t.suffix = rest
	}
}

func (w *watcher) takeAll(f *folder, final bool) bool {
	var waiting []int
	for n, t := range f.tests {
		if !t.taken {
			waiting = append(waiting, n)
		}
	}
	sort.Ints(waiting)
	for _, n := range waiting {
		if !w.take(f, n, final) {
			return false
		}
	}
	var stems []string
	for stem, o := range f.others {
		if !o.taken {
			stems = append(stems, stem)
		}
	}
	sort.Strings(stems)
	for _, stem := range stems {
		if !w.takeOther(f, stem, final) {
			return false
		}
	}
	return true
}

// take delivers test n if it is complete. It returns false when nobody reads.
func (w *watcher) take(f *folder, n int, final bool) bool {
	t := f.tests[n]
	if t == nil || t.taken || !t.ktest && t.suffix == "" {
		return true
	}
	passed := n < f.passed // the engine writes one test after another
	if t.suffix == "" && !passed && !final {
		return true
	}
	file, ok := readFamily(t.stem, t.suffix, final || passed)
	if !ok {
		return true
	}
	t.taken = true
	return w.send(file)
}

// takeOther delivers a file of another origin when it has come to rest.
func (w *watcher) takeOther(f *folder, stem string, final bool) bool {
	o := f.others[stem]
	path := filepath.Join(f.path, stem)
	info, err := os.Stat(path + ".ktest")
	if err != nil {
		delete(f.others, stem)
		return true
	}
	rests := o.size == info.Size() && o.time.Equal(info.ModTime())
	o.size, o.time = info.Size(), info.ModTime()
	if !rests && !final {
		return true
	}
	file, ok := readFamily(path, "", final)
	if !ok {
		return true
	}
	o.taken = true
	return w.send(file)
}

func (w *watcher) send(f TestFile) bool {
	select {
	case w.out <- f:
		return true
	case <-w.ctx.Done():
		return false
	}
}

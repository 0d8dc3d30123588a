package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/disk"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/store"
)

// written is when the engine wrote the test.
func written(path string) time.Time {
	if fi, err := os.Stat(path); err == nil {
		return fi.ModTime()
	}
	return time.Now()
}

func confirms(v label.Verdict, id label.ID) bool {
	if v.Outcome != label.Normal {
		return false
	}
	for _, h := range v.Hits {
		if h == id {
			return true
		}
	}
	return false
}

// keep writes a judged test where it belongs and records it; checked says that its
// hits were confirmed, by who made it.
func (k *judge) keep(t *ktest.Test, from origin, v label.Verdict, checked bool, at time.Time, by string) error {
	e := from.entry
	k.truth.RLock()
	defer k.truth.RUnlock()
	v = k.proper(e, v)
	t = e.named(t)
	r := store.TestResult{Entry: e.name, Hash: key(e, t), Engine: by, Mode: string(from.mode), At: at, Verdict: v,
		Given: given(e, t, v)}
	switch {
	case v.Outcome == label.Diverged:
		k.mu.Lock()
		k.diverged++
		k.mu.Unlock()
		return nil
	case v.Outcome.RuntimeError():
		return k.keepError(t, e, r)
	}
	k.mu.Lock()
	k.tallyOf(e).normal++
	if checked {
		k.fromMain(e, v)
	}
	pattern := fmt.Sprint(v.Hits)
	if len(v.Hits) == 0 || k.patterns[pattern] {
		k.mu.Unlock()
		return nil // another test satisfies exactly the same labels
	}
	k.patterns[pattern] = true
	if !checked { // others satisfy them, together
		k.seeds.add(e, t.Bytes(), by, v.Hits)
		k.mu.Unlock()
		return nil
	}
	k.most = max(k.most, len(v.Hits))
	k.mu.Unlock()
	r.Data = t.Bytes()
	newly, err := k.record(r)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tallyOf(e).newly[by] += len(newly)
	k.seeds.add(e, r.Data, by, v.Hits)
	if len(newly) > 0 {
		k.newsAt = time.Now()
	}
	if len(newly) > 0 && by != random {
		k.lastLabel = max(k.lastLabel, at.Sub(k.began))
	}
	return nil
}

// record gives a test of the suite its name, writes its file, and records it.
func (k *judge) record(r store.TestResult) (newly []label.ID, err error) {
	k.mu.Lock()
	r.Name = k.nextName()
	k.mu.Unlock()
	// The file first: whenever klabel is killed, what the store claims is there. What
	// a power loss takes of it, the next run writes again from the store.
	r.File = filepath.Join(k.layout.tests(), r.Name+".ktest")
	if err := disk.Write(r.File, r.Data); err != nil {
		return nil, describe(err)
	}
	if newly, err = k.st.Record(r); err != nil {
		_ = os.Remove(r.File) // nobody claims anything by it
		return nil, err
	}
	return newly, k.news(newly)
}

// keepError keeps a test that ends in a run-time error apart, with its reason:
// one for each way of failing, and those that reach further labels.
func (k *judge) keepError(t *ktest.Test, e entry, r store.TestResult) error {
	reason := failing(r.Verdict)
	k.mu.Lock()
	c := k.tallyOf(e)
	c.failed++
	c.reasons[reason]++
	if r.Verdict.Outcome == label.TimedOut && !replayer.Starved(r.Verdict) && r.Verdict.Duration < k.limit*9/10 {
		k.mu.Unlock()
		return nil // it was not given the time that a test has: nothing is known of it
	}
	end := e.function + "\x00" + reason
	news := !k.failures[end]
	k.failures[end] = true
	news = news || slices.ContainsFunc(r.Verdict.Hits, func(id label.ID) bool { return k.tellsFailing(e, id) })
	if !news {
		k.mu.Unlock()
		return nil
	}
	k.errors++
	r.Name = k.nextName()
	k.fails(e, r.Verdict.Hits, r.Name, reason)
	k.mu.Unlock()
	r.File, r.Data = filepath.Join(k.layout.runtimeErrors(), r.Name+".ktest"), t.Bytes()
	if _, err := k.st.Record(r); err != nil {
		return err
	}
	if err := describe(disk.Write(r.File, r.Data)); err != nil {
		return err
	}
	return sayWhy(e, r.File, reason)
}

// sayWhy writes why a test fails beside its file.
func sayWhy(e entry, file, reason string) error {
	text := reason + "\n"
	if !e.ownMain() {
		text = e.name + ": " + text
	}
	return describe(disk.Write(whyFile(file), []byte(text)))
}

func whyFile(test string) string { return strings.TrimSuffix(test, ".ktest") + ".txt" }

// rehome moves a test's file to where tests are that end so: what counts may be another thing in a later run.
func (k *judge) rehome(e entry, file string, v label.Verdict) (string, error) {
	dir := filepath.Dir(file)
	switch {
	case dir == k.layout.runtimeErrors() && v.Outcome == label.Normal:
		_ = os.Remove(whyFile(file)) // somebody may have done so
		dir = k.layout.tests()
	case dir == k.layout.tests() && v.Outcome.RuntimeError():
		dir = k.layout.runtimeErrors()
	default:
		return file, nil
	}
	to := filepath.Join(dir, filepath.Base(file))
	if err := os.Rename(file, to); err != nil {
		return file, describe(err)
	}
	if v.Outcome == label.Normal {
		return to, nil
	}
	return to, sayWhy(e, to, failing(v))
}

// failing is how a run fails, in words.
func failing(v label.Verdict) string {
	return strings.TrimSpace(fmt.Sprintf("%s: %s", v.Outcome, v.Reason))
}

// tellsFailing reports whether a failing test of an entry says more of a label than is
// known: nobody has reached it so or, where functions have joined a main, main has not.
func (k *judge) tellsFailing(e entry, id label.ID) bool {
	f, known := k.failing[id]
	return !known || !f.main && e.ownMain()
}

// fails notes what a failing test has reached. The lock is held.
func (k *judge) fails(e entry, hits []label.ID, test, reason string) {
	for _, id := range hits {
		if k.tellsFailing(e, id) {
			k.failing[id] = failure{test, reason, e.ownMain()}
		}
	}
}

// nextName is called with the lock held. Names that an earlier campaign in this
// directory has used are passed over.
func (k *judge) nextName() string {
	for {
		k.serial++
		name := fmt.Sprintf("test%06d", k.serial)
		if !exists(filepath.Join(k.layout.tests(), name+".ktest")) &&
			!exists(filepath.Join(k.layout.runtimeErrors(), name+".ktest")) {
			return name
		}
	}
}

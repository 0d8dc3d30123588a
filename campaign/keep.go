package campaign

import (
	"fmt"
	"os"
	"path/filepath"
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
	r.Name = k.nextName()
	k.mu.Unlock()

	// The file first: whenever klabel is killed, what the store claims is there. What
	// a power loss takes of it, the next run writes again from the store.
	r.File, r.Data = filepath.Join(k.layout.tests(), r.Name+".ktest"), t.Bytes()
	if err := disk.Write(r.File, r.Data); err != nil {
		return describe(err)
	}
	newly, err := k.st.Record(r)
	if err != nil {
		_ = os.Remove(r.File) // nobody claims anything by it
		return err
	}
	if err := k.news(newly); err != nil {
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

// keepError keeps a test that ends in a run-time error apart, with its reason:
// one for each way of failing, and those that reach further labels.
func (k *judge) keepError(t *ktest.Test, e entry, r store.TestResult) error {
	reason := strings.TrimSpace(fmt.Sprintf("%s: %s", r.Verdict.Outcome, r.Verdict.Reason))
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
	for _, id := range r.Verdict.Hits {
		if _, known := k.failing[id]; !known {
			news = true
		}
	}
	if !news {
		k.mu.Unlock()
		return nil
	}
	k.errors++
	r.Name = k.nextName()
	for _, id := range r.Verdict.Hits {
		if _, known := k.failing[id]; !known {
			k.failing[id] = failure{r.Name, reason}
		}
	}
	k.mu.Unlock()
	r.File, r.Data = filepath.Join(k.layout.runtimeErrors(), r.Name+".ktest"), t.Bytes()
	if _, err := k.st.Record(r); err != nil {
		return err
	}
	if err := describe(disk.Write(r.File, r.Data)); err != nil {
		return err
	}
	text := reason + "\n"
	if !e.ownMain() {
		text = e.name + ": " + text
	}
	return describe(disk.Write(strings.TrimSuffix(r.File, ".ktest")+".txt", []byte(text)))
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

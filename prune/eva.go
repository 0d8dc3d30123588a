package prune

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"klabel/disk"
	"klabel/label"
)

// evaFlags: what is not initialised holds anything; comparing any two pointers
// is allowed, and where C does not say what comes of it (texts that may share their
// memory, an end where another object may begin) both outcomes are followed.
var evaFlags = []string{"-eva", "-eva-initialized-locals", "-eva-warn-undefined-pointer-comparison", "none",
	"-eva-undefined-pointer-comparison-propagate-all",
	"-eva-msg-key=-summary,-initial-state,-final-states", "-eva-no-show-progress", "-eva-no-alloc-returns-null"}

// harmless lists the alarms that Eva may raise and then assume away: a run in
// which they happen ends with a signal or a sanitizer's report, and counts for
// nothing. What follows any other alarm could be seen in a replay.
var harmless = map[string]bool{"mem_access": true, "index_bound": true, "division_by_zero": true, "shift": true}

// evaStandsBack says why Eva's answers would not be sound for the program.
func (p *program) evaStandsBack() string {
	main := p.funcs["main"]
	switch {
	case p.isOpen:
		return "functions are called from elsewhere, too"
	case !p.hasMain:
		return "the program has no main function"
	case p.asm != "":
		return fmt.Sprintf("%s has inline assembly", p.asm)
	case p.early:
		return "functions may run before or after main"
	case p.foreign != "" && p.indirect:
		return fmt.Sprintf("%s may be called through a pointer", p.foreign)
	case p.mainArgs:
		return "main takes arguments" // as many as there are, and Eva has a bounded array of them
	}
	for _, f := range p.order {
		if (f == main || p.reaches(main, f.Name)) && p.recursive(f) {
			return fmt.Sprintf("%s is recursive", f.Name)
		}
	}
	if un := p.unknownCallees(main, framacKnows); len(un) > 0 {
		return fmt.Sprintf("nothing is known of %s", strings.Join(un[:min(len(un), 3)], ", "))
	}
	return ""
}

// eva has Frama-C's value analysis compute what variables can hold, once for
// the whole program, and takes the checks that always hold.
func (j *job) eva(ctx context.Context) error {
	if why := j.p.evaStandsBack(); why != "" {
		return standBack("%s", why)
	}
	// Fast first, then precisely for the labels that are left.
	for i, precision := range []string{"1", "5"} {
		if i > 0 && j.nothingOpen() {
			break
		}
		files, pts, err := j.evaFiles()
		if err != nil {
			return err
		}
		limit := time.Until(deadline(ctx))
		start := time.Now()
		v, f, cached, err := j.evaRun(ctx, files, pts, precision, limit)
		if err != nil {
			if i > 0 && time.Since(start) >= limit-time.Second {
				return nil // the fast answer stands
			}
			var unread errUnread
			if errors.As(err, &unread) {
				for k, u := range j.p.units {
					if unread.file == filepath.Base(files[k]) || len(j.p.units) == 1 {
						j.unreadable(u, unread)
					}
				}
			}
			return err
		}
		j.facts = f
		j.evaAnswers(v, time.Since(start).Seconds(), cached)
	}
	return nil
}

func (j *job) nothingOpen() bool {
	for _, l := range j.p.labels {
		if j.open(l.ID) {
			return false
		}
	}
	return true
}

func (j *job) evaAnswers(v verdicts, seconds float64, cached bool) {
	each := seconds / float64(max(1, len(j.p.labels)))
	for _, l := range j.p.labels {
		n, p := fmt.Sprintf("n%d", l.ID), fmt.Sprintf("p%d", l.ID)
		switch {
		case v.proved(n) && j.open(l.ID):
			why := "value analysis finds the predicate false in every state that reaches it"
			if v[n] == "Dead" {
				why = "value analysis finds no state that reaches it"
			}
			j.found(Finding{ID: l.ID, Status: label.Infeasible, Method: Eva, Step: 1, Text: why, Seconds: each,
				Cached: cached})
		case !v.proved(n) && v.proved(p):
			j.alwaysTrue(l.ID, Eva)
		}
	}
}

func deadline(ctx context.Context) time.Time {
	if d, ok := ctx.Deadline(); ok {
		return d
	}
	return time.Now().Add(time.Minute)
}

// evaAnswer is what a run of Eva leaves in the cache.
type evaAnswer struct {
	Verdicts verdicts
	Why      string // why it does not count
	Facts    map[int]interval
}

func (j *job) evaRun(ctx context.Context, files []string, pts []point, precision string, limit time.Duration) (verdicts,
	*facts, bool, error) {
	parts := []string{"eva", precision}
	for _, f := range files {
		b, err := disk.Read(f)
		if err != nil {
			return nil, nil, false, err
		}
		parts = append(parts, string(b))
	}
	key := j.key(parts...)
	var a evaAnswer
	cached := j.cached(key, &a)
	if !cached {
		args := append(append([]string{}, evaFlags...), "-main", "main", "-eva-precision", precision)
		v, alarms, log, err := j.framac(ctx, "eva", files, limit, args...)
		if err != nil {
			return nil, nil, false, err
		}
		a = evaAnswer{Verdicts: v, Facts: readFacts(log), Why: evaDoubt(alarms, log)}
		j.keep(key, a)
	}
	if a.Why != "" {
		return nil, nil, cached, standBack("%s", a.Why)
	}
	return a.Verdicts, newFacts(pts, a.Facts), cached, nil
}

var reDoubt = regexp.MustCompile(`(?i)recursive call|assembly code|ignoring|unsupported|degenerat|not implemented|default assigns from the prototype`)

// evaDoubt looks for what makes Eva's answer unsound for replays.
func evaDoubt(alarms []alarm, log []byte) string {
	for _, a := range alarms {
		if !harmless[a.Kind] && a.Kind != "assigns clause" && a.Kind != "from clause" {
			return fmt.Sprintf("Eva cannot exclude a problem that a replay would not notice (%s)", a.Kind)
		}
	}
	for _, l := range strings.Split(string(log), "\n") {
		if m := reDoubt.FindString(l); m != "" && !strings.Contains(l, "Frama_C_memcpy") {
			return "Eva says: " + strings.TrimSpace(l)
		}
	}
	return ""
}

package prune_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"klabel/campaign"
	"klabel/csource"
	"klabel/examples"
	"klabel/label"
	"klabel/prune"
	"klabel/toolchain"
)

func tools(t testing.TB) *toolchain.Tools {
	t.Helper()
	x, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Clang == nil {
		t.Skip("no clang")
	}
	return x
}

// What is proved on the examples agrees with what is known of them.
func TestExamples(t *testing.T) {
	x := tools(t)
	all, err := examples.All("../examples")
	if err != nil {
		t.Fatal(err)
	}
	methods, _ := prune.ParseMethods(os.Getenv("KLABEL_PRUNE_METHODS"))
	if methods == nil {
		methods = []prune.Method{prune.Compiler, prune.Native}
	}
	found, known := 0, 0
	for _, p := range all {
		if p.Criterion == "CC" && os.Getenv("KLABEL_PRUNE_ALL") == "" {
			continue // one infeasible label in ten programs
		}
		text, err := os.ReadFile(p.File)
		if err != nil {
			t.Fatal(err)
		}
		runs := 30
		if n, err := strconv.Atoi(os.Getenv("KLABEL_PRUNE_RUNS")); err == nil {
			runs = n
		}
		w := prepare(t, x, sample{p.Name, string(text)}, runs)
		res, err := prune.Run(t.Context(), prune.Options{Units: []*csource.Unit{w.unit}, Clang: x.Clang, FramaC: x.FramaC, CSource: w.opts, Explore: campaign.Explorer(x.Clang), Methods: methods, Budget: 60 * time.Second})
		if err != nil {
			t.Errorf("%s %s: %v", p.Name, p.Criterion, err)
			continue
		}
		w.check(t, p.Name+" "+p.Criterion, res.Findings)
		n := map[label.Status]int{}
		var missed []label.ID
		proved := map[label.ID]bool{}
		for _, f := range res.Findings {
			if f.Status == label.Infeasible && slices.Contains(p.Coverable, f.ID) {
				t.Errorf("%s %s: label %d can be covered, and %s calls it infeasible: %s", p.Name, p.Criterion, f.ID, f.Method, f.Text)
			}
			n[f.Status]++
			if f.Status == label.Infeasible {
				proved[f.ID] = true
			}
		}
		for _, id := range p.Infeasible {
			if !proved[id] {
				missed = append(missed, id)
			}
		}
		found += len(p.Infeasible) - len(missed)
		known += len(p.Infeasible)
		hit := 0
		for _, r := range w.runs {
			hit = max(hit, len(r))
		}
		if hit == 0 {
			t.Logf("%s %s: no random input covers anything", p.Name, p.Criterion)
		}
		line := fmt.Sprintf("%-10s %-4s %3d labels: %2d of %2d infeasible, %2d duplicate, %2d subsumed, %5.2f s, missed %v", p.Name, p.Criterion, res.Labels,
			len(p.Infeasible)-len(missed), len(p.Infeasible), n[label.Duplicate], n[label.Subsumed], res.Seconds, missed)
		for _, s := range res.Methods {
			line += fmt.Sprintf("; %s %d in %.2f s %s", s.Method, s.Found, s.Seconds, s.Note)
		}
		t.Log(line)
	}
	t.Logf("%d of %d infeasible labels proved", found, known)
}

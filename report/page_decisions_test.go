package report

import (
	"testing"

	"klabel/label"
)

// decide gives the sample a decision: labels 1 and 2 are rows of its truth table.
func decide(r *Result) {
	at := label.Position{File: "a.c", Line: 3, Column: 9}
	r.Decisions = []DecisionRow{{Number: 1, Criterion: "MCDC", Position: at, Function: "f", Text: "x > 3 && y < 2",
		Conditions: []ConditionRow{
			{Number: 1, Text: "x > 3", Position: at, Status: label.Covered, Pair: &PairRow{
				True:  SideRow{1, "TT", true, "test000001"},
				False: SideRow{2, "F-", false, "test000002"}}},
			{Number: 2, Text: "y < 2", Position: at, Status: label.Infeasible, Reason: "<b>no</b> value"}},
		Vectors: []VectorRow{
			{Label: 1, Values: "TT", Outcome: true, Status: label.Covered, Tests: []string{"test000001"}},
			{Label: 9, Values: "TF", Status: label.Deselected},
			{Label: 2, Values: "F-", Status: label.Covered, Tests: []string{"test000002"}}}}}
	r.Rows[0].Tags, r.Rows[1].Tags = []string{"MCDC"}, []string{"MCDC"}
}

// TestPageDecisions: a truth table with the pairs of its conditions, at two widths.
// Conditions count, and not the rows.
func TestPageDecisions(t *testing.T) {
	r := sample(t, t.TempDir())
	decide(r)
	for _, width := range []string{"1280", "420"} {
		said := browse(t, browser(t), page(t, r), width, `
  say("share", text(".hero span").split(" are ")[0]);
  say("tab", document.querySelector('[data-view="decisions"]').hidden);
  key("6"); await tick();
  say("decisions", all(".decision").length);
  say("head", text(".decision .head"));
  say("conditions", text(".conditions tbody"));
  say("table", text(".truth tbody"));
  say("paired", all(".truth .paired").length);
  say("wide", document.documentElement.scrollWidth <= innerWidth);
  say("cut", all(".scroll").filter((e) => e.scrollWidth > e.clientWidth).length);
  await go("decisions/at/0/4"); say("elsewhere", all(".decision").length);
  await go("source/0/3"); say("link", document.querySelector(".cards a[href^='#decisions']").getAttribute("href"));`)
		expect(t, said, map[string]string{"share": "1 of 5 labels that", "tab": "false", "decisions": "1",
			"head": "MCDC a.c:3f 1 of 2 conditions shown",
			"conditions": "1x > 3✓ coveredrows 1 and 3 test000001, test000002" +
				"2y < 2∅ infeasible<b>no</b> value",
			"table":  "1TTT1 ✓ coveredtest0000012TFF not needed3F·F1 ✓ coveredtest000002",
			"paired": "2", "wide": "true", "cut": "0", "elsewhere": "0", "link": "#decisions/at/0/3"})
	}
	wide := r.Decisions[0] // seven columns of values leave the words their place
	for i := range 4 {
		wide.Conditions = append(wide.Conditions, ConditionRow{Number: i + 3, Text: "node->next != 0"})
	}
	wide.Vectors = []VectorRow{{Label: 1, Values: "TTTTTT", Status: label.Covered}}
	r.Decisions = []DecisionRow{wide}
	said := browse(t, browser(t), page(t, r), "390", `
  key("6"); await tick();
  const range = document.createRange();
  const pieces = (e) => { range.selectNodeContents(e.lastChild); return range.getClientRects().length; };
  say("broken", all(".truth th").filter((e) => pieces(e) > 1).map((e) => e.textContent));`)
	expect(t, said, map[string]string{"broken": ""})
	r.Decisions = nil
	said = browse(t, browser(t), page(t, r), "1280",
		`say("tab", document.querySelector('[data-view="decisions"]').hidden);`)
	expect(t, said, map[string]string{"tab": "true"})
}

// TestPageManyDecisions: more decisions than are made at a time, and all of them come.
func TestPageManyDecisions(t *testing.T) {
	r := sample(t, t.TempDir())
	decide(r)
	for len(r.Decisions) < 450 {
		r.Decisions = append(r.Decisions, r.Decisions[0])
	}
	said := browse(t, browser(t), page(t, r), "1280", `
  key("6"); await tick();
  say("said", text("main > p"));
  for (let b; (b = document.querySelector(".more"));) { b.click(); say("buttons", all(".more").length); }
  say("decisions", all(".decision").length);
  say("more", all(".more").length);`)
	expect(t, said, map[string]string{"said": "450 of 450 decisions", "decisions": "450", "more": "0", "buttons": "0"})
}

package report

import (
	"testing"

	"klabel/label"
)

// Predicates that name klabel's variables are shown in the program's words; where
// two conditions stand in one place, none is guessed.
func TestReword(t *testing.T) {
	at := func(column int) label.Position { return label.Position{File: "a.c", Line: 3, Column: column} }
	row := func(id label.ID, column int, predicate string) LabelRow {
		return LabelRow{Label: label.Label{ID: id, Position: at(column), Predicate: predicate}}
	}
	r := &Result{Rows: []LabelRow{row(1, 5, "klb_2_1 && !klb_2_2"), row(2, 5, "!klb_2_1"), row(3, 12, "!(klb_7)"),
		row(4, 20, "klb_8"), row(5, 30, "klb_9"), row(6, 12, "x > 3"), row(7, 12, "klb_1 != klb_2")},
		Decisions: []DecisionRow{{Conditions: []ConditionRow{{Text: "f(x)", Position: at(5)},
			{Text: "y > 2", Position: at(12)}},
			Vectors: []VectorRow{{Label: 1, Values: "TF"}, {Label: 2, Values: "F-"}}},
			{Conditions: []ConditionRow{{Text: "p", Position: at(20)}, {Text: "q", Position: at(20)}}}}}
	r.Reword()
	for i, want := range []string{"(f(x)) && !(y > 2)", "!(f(x))", "!(y > 2)", "klb_8", "klb_9", "x > 3",
		"klb_1 != klb_2"} {
		if got := r.Rows[i].asks(); got != want {
			t.Errorf("label %d: %q, want %q", i+1, got, want)
		}
	}
}

// TestNullIsNamed: sources are read without their macros, people read NULL.
func TestNullIsNamed(t *testing.T) {
	r := LabelRow{Label: label.Label{Predicate: "(p == ((void*)0)) && !(q != ((void *)0))"}}
	if got, want := r.asks(), "(p == NULL) && !(q != NULL)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

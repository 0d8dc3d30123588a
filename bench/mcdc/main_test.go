package main

import (
	"testing"

	"klabel/report"
)

// Tests count once however many conditions they show, and conditions without a pair not at all.
func TestRatio(t *testing.T) {
	pair := func(a, b string) report.ConditionRow {
		return report.ConditionRow{Pair: &report.PairRow{True: report.SideRow{Test: a}, False: report.SideRow{Test: b}}}
	}
	ds := []report.DecisionRow{{Conditions: []report.ConditionRow{pair("1", "2"), pair("1", "3"), {}}},
		{Conditions: []report.ConditionRow{pair("2", "4")}}}
	if got := ratio(ds); got != 1 {
		t.Errorf("%v: 4 tests, 3 conditions shown", got)
	}
}

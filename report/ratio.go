package report

import (
	"encoding/json"
	"fmt"
	"math"
)

// Ratio is a share of labels, from 0 to 1. It is not a number where there is
// nothing to have a share of: no labels, or none that could be covered.
type Ratio float64

// Share is part of whole.
func Share(part, whole int) Ratio {
	if whole <= 0 {
		return Ratio(math.NaN())
	}
	return Ratio(float64(part) / float64(whole))
}

// Defined reports whether there is anything to have a share of.
func (r Ratio) Defined() bool { return !math.IsNaN(float64(r)) }

// Under reports whether less than a percentage is reached. Nothing reached of
// nothing is under every percentage above 0.
func (r Ratio) Under(percent float64) bool {
	if !r.Defined() {
		return percent > 0
	}
	return 100*float64(r) < percent
}

func (r Ratio) String() string {
	if !r.Defined() {
		return "-"
	}
	tenths := 1000 * float64(r)
	if tenths > 999 && r < 1 {
		tenths = 999 // 100 % is said of all alone
	}
	return fmt.Sprintf("%.1f %%", tenths/10)
}

// MarshalJSON writes null for a ratio of nothing.
func (r Ratio) MarshalJSON() ([]byte, error) {
	if !r.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(r))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Ratio) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*r = Ratio(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(r))
}

// Ratios are covered labels over labels: over all, over those not proved
// infeasible, and over those neither infeasible, duplicate nor subsumed. What is
// unknown counts as not covered in each.
type Ratios struct {
	All      Ratio `json:"all"`
	Feasible Ratio `json:"feasible"`
	Distinct Ratio `json:"distinct"`
}

// Ratios of the counts.
func (c Counts) Ratios() Ratios {
	return Ratios{Share(c.Covered, c.Total), Share(c.Covered, c.Total-c.Infeasible),
		Share(c.Covered-c.RedundantCovered, c.Total-c.Infeasible-c.Redundant)}
}

func (r Ratios) String() string {
	return fmt.Sprintf("%s of all labels are covered, %s without infeasible ones, %s without redundant ones too", r.All,
		r.Feasible, r.Distinct)
}

// differ reports whether the three tell different things.
func (r Ratios) differ() bool {
	return r.All.String() != r.Feasible.String() || r.Feasible.String() != r.Distinct.String()
}

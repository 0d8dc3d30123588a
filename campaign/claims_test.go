package campaign

import (
	"testing"

	"klabel/label"
)

// What calls before have set narrows the labels that speak of it, and no others.
func TestRemembered(t *testing.T) {
	p := &program{labels: []label.Label{{ID: 4, Predicate: "klb_set_mode_2 == 9"},
		{ID: 7, Predicate: "klb_set_r_8 == 9"}, {ID: 9, Predicate: "x > 3"}}}
	mode := []string{"klb_set_count_5", "klb_set_mode_2"}
	for id, want := range map[label.ID]bool{4: true, 7: false, 9: false, 11: true} {
		if got := p.speaksOf(id, mode); got != want {
			t.Errorf("label %d: %v", id, got)
		}
		if p.speaksOf(id, nil) {
			t.Errorf("label %d speaks of nothing", id)
		}
	}
}

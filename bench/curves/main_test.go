package main

import (
	"math"
	"strings"
	"testing"
)

func TestCurves(t *testing.T) {
	c := curve{points: []point{{1, 10}, {3, 20}}, end: 4, total: 30}
	if got := c.area(4); got != 2*10+20 {
		t.Errorf("area %v", got)
	}
	if got := c.area(2); got != 10 {
		t.Errorf("area up to 2: %v", got)
	}
	if c.at(2.9) != 10 || c.at(0.5) != 0 || c.reaches(11, 4) != 3 || c.reaches(21, 4) != 8 || c.reaches(20, 2) != 4 {
		t.Error("at or reaches")
	}
	// Nothing beats 24 labels from the beginning.
	better := curve{points: []point{{2, 24}}, end: 4, total: 30}
	if r := most([][]curve{{c, better}}); r.median != 24*4/40.0 {
		t.Errorf("most %v", r)
	}
	short := curve{end: 1, over: true}
	if h := horizon([]curve{c, short}); h != 4 {
		t.Errorf("horizon with a run that was over: %v", h)
	}
	short.over = false
	if h := horizon([]curve{c, short}); h != 1 {
		t.Errorf("horizon: %v", h)
	}
	k := clock{{}, {2, 1}, {4, 1.5}}
	if k.processor(1) != 0.5 || k.processor(3) != 1.25 || k.processor(9) != 1.5 || k.processor(0) != 0 {
		t.Error("clock")
	}
	if g := mean([]float64{2, 0.5}); math.Abs(g-1) > 1e-9 {
		t.Errorf("mean %v", g)
	}
	if median([]float64{3, 1, 2}) != 2 || median([]float64{4, 1, 2, 3}) != 2.5 {
		t.Error("median")
	}
	area, at := ratios([][]curve{{c, c}, {c, short}, {c, c}})
	if area.String() != "1.000 (0.00 to 1.00)" || at.median != 1 {
		t.Errorf("ratios: %v %v", area, at)
	}
	if text := controller(); !strings.Contains(text, "static int g39 ") || strings.Count(text, "if (") != rules {
		t.Errorf("the controller is not what it should be:\n%s", text)
	}
}

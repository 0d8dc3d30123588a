package report

import (
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestCurves(t *testing.T) {
	a := Curve{Points: []Point{{1, 2}, {4, 6}}}
	b := Curve{Points: []Point{{2, 3}}}
	c := Curve{Points: []Point{{1, 4}, {3, 5}}}
	if a.At(0.5) != 0 || a.At(3.9) != 2 || a.At(9) != 6 {
		t.Error("At")
	}
	want := []Point{{1, 2}, {2, 3}, {4, 5}} // 2 0 4, 2 3 4, 2 3 5, 6 3 5
	if m := MedianCurve("m", []Curve{a, b, c}); !reflect.DeepEqual(m.Points, want) {
		t.Errorf("median %v", m.Points)
	}
	if m := MedianCurve("m", []Curve{a, c}); !reflect.DeepEqual(m.Points, []Point{{1, 2}, {4, 5}}) {
		t.Errorf("median of two %v", m.Points)
	}
	var svg strings.Builder
	if err := WriteCurves(&svg, "a<b & c", []Curve{{Name: "optim", Points: a.Points}, {Name: "fused"}}, 4); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(svg.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg.String())
		}
	}
	// From the left border up to two of six labels at 1 s, to all of them at 4 s.
	for _, want := range []string{"a&lt;b &amp; c", "4.0 s", ">fused<", "M44.0 250.0H150.5V174.7H470.0V24.0H470.0"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("%s is not in\n%s", want, svg.String())
		}
	}
}

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Curve is how many labels one side of a comparison has covered, and when.
type Curve struct {
	Name   string
	Points []Point // labels grow with time
}

// Point is how many labels are covered from a time on.
type Point struct {
	Seconds float64
	Labels  int
}

// At is how many labels are covered at a time.
func (c Curve) At(seconds float64) (labels int) {
	for _, p := range c.Points {
		if p.Seconds <= seconds {
			labels = p.Labels
		}
	}
	return labels
}

// MedianCurve is the median of several runs' labels at every moment; of an even
// number the lower one of the two, which a run had.
func MedianCurve(name string, runs []Curve) Curve {
	var times []float64
	for _, r := range runs {
		for _, p := range r.Points {
			times = append(times, p.Seconds)
		}
	}
	slices.Sort(times)
	out := Curve{Name: name}
	last := 0
	for _, t := range slices.Compact(times) {
		var at []int
		for _, r := range runs {
			at = append(at, r.At(t))
		}
		slices.Sort(at)
		if n := at[(len(at)-1)/2]; n > last {
			out.Points = append(out.Points, Point{t, n})
			last = n
		}
	}
	return out
}

const (
	curveWidth, curveHeight = 480.0, 280.0
	curveLeft, curveBottom  = 44.0, 30.0
)

var curveColours = []string{"#b5452c", "#22577a", "#6a994e", "#8d6a9f", "#b08900", "#555555"}

// WriteCurves draws curves up to a time as SVG.
func WriteCurves(w io.Writer, title string, curves []Curve, end float64) error {
	end = max(end, 1e-3)
	most := 1
	for _, c := range curves {
		most = max(most, c.At(end))
	}
	x := func(t float64) float64 { return curveLeft + t/end*(curveWidth-curveLeft-10) }
	y := func(n int) float64 {
		return curveHeight - curveBottom - float64(n)/float64(most)*(curveHeight-curveBottom-24)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11">`+
		"\n", curveWidth, curveHeight)
	fmt.Fprintf(&b, `<text x="%g" y="14">%s</text>`+"\n", curveLeft, escaped(title))
	fmt.Fprintf(&b, `<path d="M%g 20V%gH%g" fill="none" stroke="#888"/>`+"\n", curveLeft, curveHeight-curveBottom,
		curveWidth-10)
	fmt.Fprintf(&b, `<text x="%g" y="%g">%.1f s</text><text x="4" y="%g">%d</text><text x="4" y="%g">0</text>`+"\n",
		curveWidth-44, curveHeight-12, end, y(most)+4, most, y(0))
	for i, c := range curves {
		colour := curveColours[i%len(curveColours)]
		d := fmt.Sprintf("M%.1f %.1f", x(0), y(0))
		for _, p := range c.Points {
			if p.Seconds <= end {
				d += fmt.Sprintf("H%.1fV%.1f", x(p.Seconds), y(p.Labels))
			}
		}
		fmt.Fprintf(&b, `<path d="%sH%.1f" fill="none" stroke="%s" stroke-width="1.6"/>`+"\n", d, x(end), colour)
		fmt.Fprintf(&b, `<text x="%g" y="%g" fill="%s">%s</text>`+"\n", curveLeft+8, 34+14*float64(i), colour,
			escaped(c.Name))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	width, height = 480.0, 280.0
	left, bottom  = 44.0, 30.0
)

var colours = []string{"#b5452c", "#22577a", "#6a994e", "#8d6a9f", "#b08900", "#555555"}

// draw writes the curves of one program as SVG.
func draw(path, title string, modes []string, curves []curve, end float64) error {
	most := 1
	for _, c := range curves {
		most = max(most, c.at(end))
	}
	x := func(t float64) float64 { return left + t/end*(width-left-10) }
	y := func(n int) float64 { return height - bottom - float64(n)/float64(most)*(height-bottom-24) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11">`+
		"\n", width, height)
	fmt.Fprintf(&b, `<text x="%g" y="14">%s: labels covered over KLEE's seconds</text>`+"\n", left, title)
	fmt.Fprintf(&b, `<path d="M%g 20V%gH%g" fill="none" stroke="#888"/>`+"\n", left, height-bottom, width-10)
	fmt.Fprintf(&b, `<text x="%g" y="%g">%.1f s</text><text x="4" y="%g">%d</text><text x="4" y="%g">0</text>`+"\n",
		width-44, height-12, end, y(most)+4, most, y(0))
	for i, c := range curves {
		colour := colours[i%len(colours)]
		d := fmt.Sprintf("M%.1f %.1f", x(0), y(0))
		for _, p := range c.points {
			if p.seconds <= end {
				d += fmt.Sprintf("H%.1fV%.1f", x(p.seconds), y(p.labels))
			}
		}
		fmt.Fprintf(&b, `<path d="%sH%.1f" fill="none" stroke="%s" stroke-width="1.6"/>`+"\n", d, x(end), colour)
		fmt.Fprintf(&b, `<text x="%g" y="%g" fill="%s">%s</text>`+"\n", left+8, 34+14*float64(i), colour, modes[i])
	}
	b.WriteString("</svg>\n")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

package main

import (
	"fmt"
	"math"
	"slices"
)

// point is how many labels are covered at a time.
type point struct {
	seconds float64
	labels  int
}

// curve is what one run covered, and when.
type curve struct {
	points []point
	end    float64 // seconds of the run
	over   bool    // it ended before its budget did: nothing was left to find
	total  int
}

// ratio is a median, and the least and the greatest of them.
type ratio struct {
	median, least, most float64
	of                  int
}

func (r ratio) String() string {
	if r.of == 1 {
		return fmt.Sprintf("%.3f", r.median)
	}
	return fmt.Sprintf("%.3f (%.2f to %.2f)", r.median, r.least, r.most)
}

func ratioOf(xs []float64) ratio {
	return ratio{median(xs), slices.Min(xs), slices.Max(xs), len(xs)}
}

// ratios hold the last mode against the first, in each turn for itself.
func ratios(turns [][]curve) (area, time ratio) {
	var areas, times []float64
	for _, curves := range turns {
		end := horizon(curves)
		a, z := curves[0], curves[len(curves)-1]
		goal := a.at(end)
		areas = append(areas, z.area(end)/max(a.area(end), 1e-9))
		times = append(times, z.reaches(goal, end)/max(a.reaches(goal, end), 1e-3))
	}
	return ratioOf(areas), ratioOf(times)
}

// most is the ratio of areas that nothing can exceed: of an engine that has from the
// beginning all labels that any mode has in the end (docs/performance.md).
func most(turns [][]curve) ratio {
	var out []float64
	for _, curves := range turns {
		end, all := horizon(curves), 0
		for _, c := range curves {
			all = max(all, c.at(end))
		}
		out = append(out, float64(all)*end/max(curves[0].area(end), 1e-9))
	}
	return ratioOf(out)
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// horizon is where a comparison ends: with the first run that its budget ended. A
// run that was over before keeps its level.
func horizon(curves []curve) float64 {
	end := 0.0
	for _, c := range curves {
		end = max(end, c.end)
	}
	for _, c := range curves {
		if !c.over {
			end = min(end, c.end)
		}
	}
	return max(end, 1e-3)
}

// at is how many labels are covered at a time.
func (c curve) at(t float64) (n int) {
	for _, p := range c.points {
		if p.seconds <= t {
			n = p.labels
		}
	}
	return n
}

// reaches is when so many labels are covered; twice the end if never.
func (c curve) reaches(n int, end float64) float64 {
	if n == 0 {
		return 0
	}
	for _, p := range c.points {
		if p.labels >= n && p.seconds <= end {
			return p.seconds
		}
	}
	return 2 * end
}

func (c curve) area(end float64) (sum float64) {
	at, n := 0.0, 0
	for _, p := range c.points {
		if p.seconds > end {
			break
		}
		sum += (p.seconds - at) * float64(n)
		at, n = p.seconds, p.labels
	}
	return sum + (end-at)*float64(n)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(max(x, 1e-3))
	}
	return math.Exp(sum / float64(len(xs)))
}

package campaign

import (
	"testing"
	"time"
)

// TestSampleTimes holds the time for random inputs to a small part of the budget,
// however many entries there are.
func TestSampleTimes(t *testing.T) {
	for _, ways := range []int{2, 50, 600, 20000} {
		each, all := sampleTimes(time.Minute, 2, ways, ways)
		if each < sampleLeast || each > sampleTime {
			t.Errorf("%d entries: each gets %v", ways, each)
		}
		if all > time.Minute/5 {
			t.Errorf("%d entries: all get %v of a minute", ways, all)
		}
	}
	if _, all := sampleTimes(time.Hour, 2, 100, 400); all > time.Hour/20 {
		t.Errorf("a quarter of the entries gets %v of an hour", all)
	}
	if _, all := sampleTimes(time.Second, 2, 600, 600); all > sampleTime {
		t.Errorf("all get %v of a second", all)
	}
}

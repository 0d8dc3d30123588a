package toolchain

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// ProcessorTime is what the leader of a group and what has come of it have used of
// processors so far, as far as they live and are in the group. It is not known of a
// group that is gone, nor without /proc.
func ProcessorTime(group int) (used time.Duration, known bool) {
	const ticks = 100 // a second, on every Linux that Go runs on
	for _, f := range familyStats(group) {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		// The name may hold anything; after it come state, parent, group, ... utime, stime.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 13 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		for _, n := range fields[11:13] {
			t, _ := strconv.ParseInt(string(n), 10, 64)
			used += time.Duration(t) * time.Second / ticks
		}
		known = true
	}
	return used, known
}

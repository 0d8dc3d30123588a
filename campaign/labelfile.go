package campaign

import (
	"bytes"

	"klabel/disk"
	"klabel/label"
	"klabel/store"
)

// writeLabelFile writes the statuses in the form that LTest's tools read.
func writeLabelFile(path string, snap *store.Snapshot) error {
	tests := map[uint64]string{}
	for _, t := range snap.Tests {
		tests[t.Number] = t.Name
	}
	rows := make([]label.Row, 0, len(snap.Labels))
	for _, l := range snap.Labels {
		r := label.RowOf(l.Label, l.Status, "klabel")
		if l.Status == label.Covered {
			r.Drivers = tests[l.Test]
			r.Seconds = l.Elapsed.Seconds()
		}
		rows = append(rows, r)
	}
	var b bytes.Buffer
	if err := label.WriteFile(&b, rows); err != nil {
		return err
	}
	return describe(disk.Write(path, b.Bytes()))
}

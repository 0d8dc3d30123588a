package drivers

import "klabel/csource"

// ApplyProbe is the driver without its call; see Unit.Probe.
func (d *Driver) ApplyProbe(u *csource.Unit) []byte { return d.unit.Probe(u, d.unit.Entries[0]) }

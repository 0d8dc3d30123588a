package cluster

import (
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"klabel/engine"
)

// Stray is a test that came when its slice was over: late, or of a coordinator that
// was killed before it had judged it. Judged is to be called when it is stored.
type Stray struct {
	Name   string // of the entry
	Engine string
	Mode   engine.Mode
	Test   []byte
	Suffix string
	Error  []byte
	Judged func()
}

// Strays are such tests. Whoever does not read them leaves them on the server.
func (c *Coordinator) Strays() <-chan Stray { return c.strays }

// take handles what workers say, one message after another.
func (c *Coordinator) take(m jetstream.Msg) {
	c.count.messages.Add(1)
	c.count.bytes.Add(uint64(len(m.Data())))
	var o Out
	if err := json.Unmarshal(m.Data(), &o); err != nil {
		log.Warningf("a message of a worker cannot be read: %v", err)
		_ = m.Term()
		return
	}
	var r *run
	if o.Epoch == c.info.Epoch {
		c.mu.Lock()
		r = c.runs[o.ID]
		c.mu.Unlock()
	}
	if r != nil && r.take(&o, m) {
		return
	}
	if o.Kind != test { // a second end changes nothing
		_ = m.Ack()
		return
	}
	c.count.strays.Add(1)
	s := Stray{Name: o.Name, Engine: o.Engine, Mode: o.Mode, Test: o.Test, Suffix: o.Suffix, Error: o.Error,
		Judged: func() { _ = m.Ack() }}
	select {
	case c.strays <- s:
	default: // the next coordinator has it, or nobody needs it
	}
}

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"time"

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

// listen takes the results from the first on that nobody has acknowledged. What the
// server knows of the listener it keeps in memory, since a file written for every few
// messages was an eighth of the coordinator's cost. A server that was started again has forgotten
// it and is asked anew; what comes a second time is known by its content.
func (c *Coordinator) listen(ctx context.Context, results jetstream.Stream) error {
	if err := results.DeleteConsumer(ctx, listener); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	take, err := results.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: listener, MemoryStorage: true,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 24 * time.Hour, MaxAckPending: -1})
	if err != nil {
		return err
	}
	lost := make(chan struct{}, 1)
	taking, err := take.Consume(c.take, jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(time.Second),
		jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
			log.Debugf("results: %v", err)
			select {
			case lost <- struct{}{}:
			default:
			}
		}))
	if err != nil {
		return err
	}
	c.wg.Go(func() {
		defer taking.Stop()
		for {
			select {
			case <-c.ctx.Done():
				return
			case <-lost:
			}
			ask, cancel := context.WithTimeout(c.ctx, 2*time.Second)
			_, err := results.Consumer(ask, listener)
			if errors.Is(err, jetstream.ErrConsumerNotFound) && c.listen(ask, results) == nil {
				cancel()
				return
			}
			cancel()
		}
	})
	return nil
}

// listener is the coordinator's consumer of results.
const listener = "coordinator"

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

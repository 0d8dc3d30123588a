package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
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

// listen takes results until the coordinator goes.
func (c *Coordinator) listen(ctx context.Context, results jetstream.Stream) error {
	take, err := c.listener(ctx, results)
	if err != nil {
		return err
	}
	c.wg.Go(func() {
		for {
			err := c.gather(take)
			if c.ctx.Err() != nil {
				return
			}
			log.Debugf("results: %v", err)
			ask, cancel := context.WithTimeout(c.ctx, 2*time.Second)
			if again, err := c.listener(ask, results); err == nil {
				take = again
			}
			cancel()
			_ = c.rest(200 * time.Millisecond)
		}
	})
	return nil
}

// listener makes the coordinator's consumer of results. It begins with the first that nobody
// has acknowledged: what comes a second time is known by its content. What the server
// knows of it stays in memory, since a file written for every few messages was an
// eighth of the coordinator's cost.
func (c *Coordinator) listener(ctx context.Context, results jetstream.Stream) (jetstream.Consumer, error) {
	select {
	case <-c.back: // what was on its way then comes again now
	default:
	}
	const name = "coordinator"
	if err := results.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, err
	}
	return results.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: name, MemoryStorage: true,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 24 * time.Hour, MaxAckPending: -1})
}

// gather takes results until something is wrong. It lets them pile up for a moment: each time
// the server has handed out the last one it forgets what it had in memory, and reads up
// to 4 MB from its disk when the next one is stored.
func (c *Coordinator) gather(take jetstream.Consumer) error {
	for {
		batch, err := take.Fetch(1, jetstream.FetchMaxWait(10*time.Second), jetstream.FetchHeartbeat(2*time.Second))
		if err != nil {
			return err
		}
		for {
			n, err := c.takeAll(batch)
			if err != nil {
				return err
			}
			if n == 0 {
				break
			}
			c.mu.Lock()
			workers := len(c.workers)
			c.mu.Unlock()
			if err := c.rest(gatherFor(workers)); err != nil {
				return err
			}
			if batch, err = take.FetchNoWait(256); err != nil {
				return err
			}
		}
	}
}

// gatherFor is how long results may pile up.
func gatherFor(workers int) time.Duration {
	return min(max(10*time.Millisecond, time.Duration(workers)*2*time.Millisecond), 200*time.Millisecond)
}

var errBack = errors.New("the connection was lost; what was on its way is lost, too")

func (c *Coordinator) rest(d time.Duration) error {
	select {
	case <-c.ctx.Done():
		return c.ctx.Err()
	case <-c.back:
		return errBack
	case <-time.After(d):
		return nil
	}
}

func (c *Coordinator) takeAll(batch jetstream.MessageBatch) (n int, err error) {
	for {
		select {
		case m, ok := <-batch.Messages():
			if ok {
				n++
				c.take(m)
				continue
			}
			err := batch.Error()
			if errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages) {
				err = nil
			}
			return n, err
		case <-c.ctx.Done():
			return n, c.ctx.Err()
		case <-c.back:
			return n, errBack
		}
	}
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

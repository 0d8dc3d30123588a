package cluster

import (
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
)

// Begin tells workers of the campaign, from now on. The view is that of the store;
// labels says how far it is, for people; changed is called when there are more or
// fewer workers.
func (c *Coordinator) Begin(view string, labels func() (covered, total int), changed func()) error {
	c.mu.Lock()
	c.feed = &feed{path: view, epoch: c.info.Epoch}
	c.labels, c.changed = labels, changed
	c.mu.Unlock()
	if _, err := c.publishView(); err != nil {
		return err
	}
	c.wg.Go(c.tell)
	c.hello(nil)
	return nil
}

// tell publishes what workers have to know, and looks who is still there.
func (c *Coordinator) tell() {
	views := time.NewTimer(viewEvery(0))
	defer views.Stop()
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for n := 1; ; {
		select {
		case <-c.ctx.Done():
			return
		case <-views.C:
			if _, err := c.publishView(); err != nil {
				log.Debugf("the live view is not published: %v", err)
			}
			c.mu.Lock()
			workers := len(c.workers)
			c.mu.Unlock()
			views.Reset(viewEvery(workers))
		case <-second.C:
			c.lookAtWorkers()
			c.publishStatus()
			if n++; n%10 == 0 { // who comes asks; this is for those who missed the answer
				c.hello(nil)
			}
		}
	}
}

// viewEvery is the time between two looks at the store's view. Each update is a
// message to every worker, which is most of what a server with many of them does:
// of those there are 125 a second at most, until each worker gets one a second.
func viewEvery(workers int) time.Duration {
	return min(max(50*time.Millisecond, time.Duration(workers)*8*time.Millisecond), time.Second)
}

func (c *Coordinator) publishView() (bool, error) {
	c.mu.Lock()
	u, err := c.feed.look()
	c.mu.Unlock()
	if u == nil || err != nil {
		return false, err
	}
	c.count.updates.Add(1)
	return true, c.send(c.info.subject("view"), u)
}

func (c *Coordinator) viewAsked(m *nats.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.feed == nil || c.feed.gen == 0 {
		return
	}
	if c.wholeGen != c.feed.gen { // many ask at a time
		b, err := json.Marshal(c.feed.whole())
		if err != nil {
			return
		}
		c.whole, c.wholeGen = b, c.feed.gen
	}
	_ = m.Respond(c.whole)
}

// hello announces the campaign, to who asks or to all.
func (c *Coordinator) hello(m *nats.Msg) {
	c.mu.Lock()
	begun, info := c.feed != nil, c.info
	c.mu.Unlock()
	if !begun {
		return
	}
	to := subjectCampaigns
	if m != nil && m.Reply != "" {
		to = m.Reply
	}
	_ = c.send(to, info)
}

// send publishes what may be lost.
func (c *Coordinator) send(subject string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.nc.Publish(subject, b)
}

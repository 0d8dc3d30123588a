package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"klabel/fault"
)

// Watch calls show with every status that campaigns on a server publish, until it
// says false. Without any for so long, at first, it is an error.
func Watch(ctx context.Context, url, secretFile string, show func(s Status, raw []byte) bool,
	patience time.Duration) error {
	s, err := readSecret(secretFile)
	if err != nil {
		return err
	}
	nc, err := connect(url, "klabel top", s)
	if err != nil {
		return err
	}
	defer nc.Close()
	sub, err := nc.SubscribeSync("klabel.*.status")
	if err != nil {
		return err
	}
	first, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for wait := first; ; wait = ctx {
		m, err := sub.NextMsgWithContext(wait)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
			return fault.WithHint(fmt.Errorf("no campaign tells of itself at %s", redacted(url)),
				"is 'klabel run --listen' or '--cluster' at work there?")
		case err != nil:
			return err
		}
		var st Status
		if json.Unmarshal(m.Data, &st) == nil && !show(st, m.Data) {
			return nil
		}
	}
}

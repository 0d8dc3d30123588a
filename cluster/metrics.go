package cluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"klabel/fault"
)

// serveMetrics answers /metrics in Prometheus' text format, on loopback alone.
func (c *Coordinator) serveMetrics() error {
	if c.o.Metrics == "" {
		return nil
	}
	l, err := net.Listen("tcp", c.o.Metrics)
	if err != nil {
		return fault.WithHint(fmt.Errorf("--metrics: %w", err), "--metrics 127.0.0.1:PORT with another port")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		c.Status().metrics(w)
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	c.wg.Go(func() {
		<-c.ctx.Done()
		_ = srv.Close()
	})
	c.wg.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Warningf("metrics: %v", err)
		}
	})
	c.o.Note(fmt.Sprintf("metrics: http://%s/metrics", l.Addr()))
	return nil
}

// Check refuses options that make no sense.
func (o *Options) Check() error {
	if o.URL == "" {
		if _, _, err := splitListen(o.Listen); err != nil {
			return err
		}
	}
	if host, _, err := net.SplitHostPort(o.Metrics); o.Metrics != "" && (err != nil || !isLoopback(host)) {
		return fault.Usagef("--metrics %q: want an address of this machine alone, as 127.0.0.1:9464", o.Metrics)
	}
	return nil
}

// metrics writes the status as Prometheus reads it.
func (s Status) metrics(w io.Writer) {
	busy := 0
	for _, x := range s.Workers {
		busy += x.Busy
	}
	for _, m := range []struct {
		name, kind, help string
		value            float64
	}{
		{"labels", "gauge", "Labels of the campaign.", float64(s.Labels)},
		{"labels_covered", "gauge", "Labels that are covered.", float64(s.Covered)},
		{"workers", "gauge", "Workers that were heard lately.", float64(len(s.Workers))},
		{"slots", "gauge", "Slices that the workers can do at a time.", float64(s.Slots)},
		{"slots_busy", "gauge", "Slices that the workers say to be doing.", float64(busy)},
		{"slices_waiting", "gauge", "Slices that no worker has begun.", float64(s.Waiting)},
		{"slices_running", "gauge", "Slices that are begun and not stored.", float64(s.Running)},
		{"slices_stuck", "gauge", "Slices that take longer than they should.", float64(len(s.Stuck))},
		{"slices_total", "counter", "Slices handed out.", float64(s.Slices)},
		{"slices_ended_total", "counter", "Slices with a result.", float64(s.Ended)},
		{"slices_redelivered_total", "counter", "Further attempts at slices.", float64(s.Redelivered)},
		{"slices_set_aside_total", "counter", "Slices given up after their last attempt.", float64(s.SetAside)},
		{"tests_total", "counter", "Tests that workers sent.", float64(s.Tests)},
		{"tests_twice_total", "counter", "Tests that came once more.", float64(s.Twice)},
		{"tests_late_total", "counter", "Tests that came after their slices.", float64(s.Strays)},
		{"messages_total", "counter", "Messages of workers.", float64(s.Messages)},
		{"message_bytes_total", "counter", "Bytes of those messages.", float64(s.Bytes)},
		{"view_updates_total", "counter", "Updates of the live view that were published.", float64(s.Updates)},
	} {
		fmt.Fprintf(w, "# HELP klabel_%[1]s %[2]s\n# TYPE klabel_%[1]s %[3]s\nklabel_%[1]s %[4]v\n",
			m.name, m.help, m.kind, m.value)
	}
}

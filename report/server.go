package report

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server shows a result in a browser while it changes: the page of LivePage,
// its data, and server-sent events when there is something new. It answers GET
// alone and changes nothing.
type Server struct {
	Read    func() (*Result, error) // the result as it is now
	Changed func() string           // a word that changes with the result; cheap
	Options Options
	Token   string        // what a request has to know; "": nothing, for loopback alone
	Every   time.Duration // how often Changed is asked; 0: two seconds

	mu     sync.Mutex
	stamp  string // of what is below
	result *Result
	data   []byte
}

// Handler answers the requests of a page until ctx ends, which ends the events.
func (s *Server) Handler(ctx context.Context) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		r, _, err := s.now()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = LivePage(w, r, s.Options) // an error is the reader's going away
	})
	mux.HandleFunc("GET /data.json", func(w http.ResponseWriter, _ *http.Request) {
		_, data, err := s.now()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(data)
	})
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) { s.events(ctx, w, r) })
	return s.guard(mux)
}

// guard lets in who knows the token and, without one, who asks this machine by
// its own name: a page of somebody else's cannot make the browser ask.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "+
			"connect-src 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		switch {
		case s.Token == "" && !Loopback(r.Host):
			http.Error(w, "this page is for this machine alone", http.StatusForbidden)
		case s.Token != "" && subtle.ConstantTimeCompare([]byte(token(r)), []byte(s.Token)) != 1:
			http.Error(w, "no token: want ?token=...", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func token(r *http.Request) string {
	if t, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return t
	}
	return r.URL.Query().Get("token")
}

// Loopback reports whether an address, with a port or without, is this machine's
// own.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// now is the result and its data, read anew if it has changed. While it cannot
// be read, what was read last stands.
func (s *Server) now() (*Result, []byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stamp := s.Changed()
	if s.result != nil && stamp == s.stamp {
		return s.result, s.data, nil
	}
	r, err := s.Read()
	if err != nil {
		if s.result != nil {
			return s.result, s.data, nil
		}
		return nil, nil, err
	}
	data, err := json.Marshal(PageData(r, s.Options))
	if err != nil {
		return nil, nil, fmt.Errorf("writing JSON: %w", err)
	}
	s.stamp, s.result, s.data = stamp, r, data
	return r, data, nil
}

// events sends a message at once and whenever the result has changed.
func (s *Server) events(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	every := s.Every
	if every == 0 {
		every = 2 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, said := "", ""
	for {
		if stamp := s.Changed(); stamp != last || said == "" {
			last = stamp
			if res, _, err := s.now(); err == nil {
				said = fmt.Sprintf("%d of %d labels covered, %d tests", res.Labels.Covered, res.Labels.Total,
					len(res.Suite))
				if n := running(res); n > 0 {
					said += fmt.Sprintf(", %d engines at work", n)
				}
				if _, err := fmt.Fprintf(w, "data: %s\n\n", said); err != nil {
					return
				}
				if err := out.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
					return
				}
			}
		}
		select {
		case <-ctx.Done():
			fmt.Fprint(w, "event: end\ndata: ended\n\n")
			return
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

func running(r *Result) int {
	n := 0
	for _, run := range r.Runs {
		if run.Running {
			n++
		}
	}
	return n
}

package report

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"klabel/label"
)

// changing is a server of a result that the test changes.
func changing(t *testing.T, token string) (s *Server, address string, cover func(), stop func()) {
	t.Helper()
	dir := t.TempDir()
	var n atomic.Int64
	s = &Server{Token: token, Every: time.Millisecond, Changed: func() string { return fmt.Sprint(n.Load()) },
		Read: func() (*Result, error) {
			r := sample(t, dir)
			r.Labels.Covered += int(n.Load())
			r.Runs = []RunRow{{Number: 1, Engine: "native", Running: true}}
			return r, nil
		}}
	ctx, stop := context.WithCancel(context.Background())
	server := httptest.NewServer(s.Handler(ctx))
	t.Cleanup(func() { stop(); server.Close() })
	return s, server.URL, func() { n.Add(1) }, stop
}

func get(t *testing.T, method, url, host, bearer string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b), resp.Header
}

func TestServer(t *testing.T) {
	_, url, _, _ := changing(t, "")
	status, body, h := get(t, "GET", url+"/", "", "")
	if status != 200 || !strings.Contains(body, "data-live") ||
		!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %v\n%.300s", status, h, body)
	}
	status, body, _ = get(t, "GET", url+"/data.json", "", "")
	var data pageData
	if err := json.Unmarshal([]byte(body), &data); status != 200 || err != nil || len(data.Labels) != 7 ||
		len(data.Runs) != 1 {
		t.Errorf("%d, %v, %d labels", status, err, len(data.Labels))
	}
	for _, c := range []struct {
		method, path, host string
		want               int
	}{
		{"POST", "/", "", 405}, {"PUT", "/data.json", "", 405}, {"DELETE", "/events", "", 405}, {"GET", "/../etc/passwd", "", 404}, {"GET", "/x", "", 404},
		{"GET", "/", "evil.example", 403}, {"GET", "/data.json", "evil.example:80", 403}, {"GET", "/data.json", "localhost:1", 200}, {"GET", "/data.json", "[::1]:1", 200},
	} {
		if got, _, _ := get(t, c.method, url+c.path, c.host, ""); got != c.want {
			t.Errorf("%s %s for %q: %d, want %d", c.method, c.path, c.host, got, c.want)
		}
	}
}

func TestServerWantsItsToken(t *testing.T) {
	_, url, _, _ := changing(t, "secret")
	for _, c := range []struct {
		path, bearer string
		want         int
	}{
		{"/", "", 403}, {"/data.json", "", 403}, {"/events", "", 403}, {"/?token=wrong", "", 403}, {"/data.json", "wrong", 403},
		{"/?token=secret", "", 200}, {"/data.json", "secret", 200},
	} {
		if got, _, _ := get(t, "GET", url+c.path, "some.host", c.bearer); got != c.want {
			t.Errorf("%s: %d, want %d", c.path, got, c.want)
		}
	}
}

// Events come at once, with each change, and end with the server.
func TestServerEvents(t *testing.T) {
	_, url, cover, stop := changing(t, "")
	resp, err := http.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	next := func() string {
		for lines.Scan() {
			if lines.Text() != "" {
				return lines.Text()
			}
		}
		return "the end"
	}
	if got := next(); got != "data: 2 of 7 labels covered, 4 tests, 1 engines at work" {
		t.Error(got)
	}
	cover()
	if got := next(); got != "data: 3 of 7 labels covered, 4 tests, 1 engines at work" {
		t.Error(got)
	}
	stop()
	if got := next(); got != "event: end" {
		t.Error(got)
	}
}

// While the store cannot be read, what was read last stands.
func TestServerKeepsWhatItHas(t *testing.T) {
	fail, n := false, 0
	s := &Server{Changed: func() string { n++; return fmt.Sprint(n) }, Read: func() (*Result, error) {
		if fail {
			return nil, errors.New("torn")
		}
		return &Result{Rows: []LabelRow{{Label: label.Label{ID: 1, Position: label.Position{File: "f.c", Line: 1}}}}},
			nil
	}}
	h := s.Handler(t.Context())
	ask := func() int {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost/data.json", nil)
		h.ServeHTTP(w, r)
		return w.Code
	}
	if got := ask(); got != 200 {
		t.Error(got)
	}
	fail = true
	if got := ask(); got != 200 {
		t.Errorf("what was there is gone: %d", got)
	}
	s.result = nil
	if got := ask(); got != 503 {
		t.Errorf("nothing was ever read: %d", got)
	}
}

// TestLivePage lets a browser follow a server.
func TestLivePage(t *testing.T) {
	chromium := browser(t)
	_, url, cover, _ := changing(t, "")
	cover()
	out := ""
	for _, ms := range []string{"4000", "15000", "60000"} { // a slow machine needs longer, and decides nothing
		out = command(t, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
			"--timeout="+ms, "--dump-dom", url+"/")
		if strings.Contains(out, "3 of 7 labels covered, 4 tests") && strings.Contains(out, "at work") {
			return
		}
	}
	t.Errorf("the page does not follow:\n%.3000s", out[max(0, strings.Index(out, "<header")):])
}

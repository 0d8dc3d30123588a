package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"klabel/label"
	"klabel/store"
)

// TestServe serves a directory that a campaign has, until it is interrupted.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels([]label.Label{{ID: 1, Tags: []string{"CC"}, Position: label.Position{File: "f.c", Line: 1},
		Predicate: "x"}}); err != nil {
		t.Fatal(err)
	}
	for _, listen := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		ctx, interrupt := context.WithCancel(t.Context())
		out, w := io.Pipe()
		cmd := newRootCmd()
		cmd.SetArgs([]string{"serve", dir, "--listen", listen})
		cmd.SetOut(w)
		ended := make(chan error)
		go func() { ended <- cmd.ExecuteContext(ctx) }()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		address := regexp.MustCompile(`http://\S+`).FindString(line)
		if strings.Contains(address, "token=") != strings.HasPrefix(listen, "0.0.0.0") {
			t.Errorf("%s: %s", listen, address)
		}
		resp, err := http.Get(strings.Replace(address, "[::]", "127.0.0.1", 1))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 200 || !strings.Contains(string(body), "0 of 1 feasible labels are covered") {
			t.Errorf("%s: %s\n%.300s", listen, resp.Status, body)
		}
		interrupt()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for _, args := range [][]string{{"--listen", "127.0.0.1"}, {"--listen", "203.0.113.1:1"}} {
		cmd := newRootCmd()
		cmd.SetArgs(append([]string{"serve", dir}, args...))
		if err := cmd.ExecuteContext(t.Context()); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}

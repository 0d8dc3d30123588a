package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// What ends at once ends the live line too, which may not have begun.
func TestProgressEnds(t *testing.T) {
	ended := make(chan bool)
	go func() {
		for range 50 {
			v := newProgress(io.Discard)
			v.live = true
			v.Stage("reading")
			v.Close()
			v.Close()
		}
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the live line does not end")
	}
}

// The live line is one line.
func TestProgressFits(t *testing.T) {
	v := newProgress(io.Discard)
	if got := v.fitting(strings.Repeat("é", 100)); got != strings.Repeat("é", 19)+"…" {
		t.Error(got)
	}
	if got := v.fitting("short"); got != "short" {
		t.Error(got)
	}
}

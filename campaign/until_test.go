package campaign

import (
	"context"
	"errors"
	"testing"
)

// What computes and does not ask is not waited for.
func TestUntil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	forever, began := make(chan struct{}), make(chan struct{})
	defer close(forever)
	go func() { <-began; cancel() }()
	if _, err := until(ctx, func() (int, error) { close(began); <-forever; return 1, nil }); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
	why := errors.New("why")
	if n, err := until(t.Context(), func() (int, error) { return 2, why }); n != 2 || err != why {
		t.Error(n, err)
	}
	defer func() {
		if p := recover(); p != "panic" {
			t.Errorf("the panic is %v", p)
		}
	}()
	_, _ = until(t.Context(), func() (int, error) { panic("panic") })
}

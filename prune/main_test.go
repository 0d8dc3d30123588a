package prune_test

import (
	"context"
	"os"
	"testing"

	"klabel/engine/native"
)

// The native engine runs as a process of its own: the binary that runs now.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == native.Subcommand {
		os.Exit(native.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

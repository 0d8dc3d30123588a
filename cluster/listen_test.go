package cluster

import (
	"net"
	"os/exec"
	"sync"
	"testing"
)

// An address that was asked for is free afterwards, whatever is started meanwhile.
func TestMayListen(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if mayListen(address) == nil {
		t.Error("an address that is taken may be listened on")
	}
	l.Close()
	_ = exec.Command("true").Run() // before the first, Go starts something without its lock
	over := make(chan struct{})
	var starting sync.WaitGroup
	for range 4 {
		starting.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					_ = exec.Command("true").Run()
				}
			}
		})
	}
	for range 300 {
		if err := mayListen(address); err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	starting.Wait()
}

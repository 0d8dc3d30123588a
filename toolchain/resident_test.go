package toolchain

import (
	"io"
	"strings"
	"testing"
	"time"
)

// What the kernel refuses a process that is held is what comes from then on; with a
// supervisor it is the program that is held.
func TestHold(t *testing.T) {
	for name, confine := range map[string]*Confinement{
		"plain": nil, "family": {Scratch: t.TempDir(), ScratchMB: 1, Family: true},
	} {
		for mb, want := range map[int]bool{400: true, 100: false} {
			in, out := io.Pipe()
			p, err := Start(t.Context(), Command{Confine: confine, Stdin: in, Timeout: 20 * time.Second,
				Argv: []string{"/bin/sh", "-c",
					"echo; read go; head -c 150000000 /dev/zero | tail -c 140000000 | wc -c"},
				Env: []string{"PATH=/usr/bin:/bin"}})
			if err != nil {
				t.Fatal(err)
			}
			for len(p.stdout.Bytes()) == 0 { // it has begun
				time.Sleep(time.Millisecond)
			}
			p.Hold(mb)
			if _, err := io.WriteString(out, "go\n"); err != nil {
				t.Fatal(err)
			}
			out.Close()
			r, _ := p.Wait()
			if strings.Contains(string(r.Stdout), "140000000") != want {
				t.Errorf("%s, held to %d MB: %s%s", name, mb, r.Stdout, r.Stderr)
			}
		}
	}
}

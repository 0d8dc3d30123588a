// Command klee plays a recorded output directory of KLEE back under KLEE's
// command line, for tests on machines without KLEE:
//
//	KLABEL_PLAYBACK=recording klee --output-dir=out program.bc
//	klee record OUTPUT-DIR RECORDING
package main

import (
	"fmt"
	"os"

	"klabel/engine/playback"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "record" {
		if err := playback.Record(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "klee:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(playback.Main(os.Args[1:], os.Stdout, os.Stderr))
}

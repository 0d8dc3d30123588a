// Command native measures the native engine from inside: what its live states weigh, and
// what the slowest functions of a file spend their time on.
//
// States: each program in bench/native/programs has 2^bits states at once before the first
// of them ends (all get their turns, breadth first); what is alive on the heap then, less
// what was before, is divided by them. With -memory the engine runs with that limit, as it
// does in a campaign: what it had to drop, and the memory of the process, say whether so
// many states fit. With -profile the heap is written for go tool pprof.
//
// Functions: with -functions, and a C file, each of them is the only entry, labelled for
// -criteria, in mode greybox; the profile of its exploration is summed by what the engine
// was about. Shares of time do not depend on what else the machine does.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	root := flag.String("programs", "bench/native/programs", "the `dir` with the programs")
	only := flag.String("only", "", "measure programs whose name holds this `text`")
	bits := flag.Int("bits", 15, "2 to the power of this are the states at once")
	memory := flag.Int("memory", 0, "the engine's limit in `MB`; 0: none")
	profile := flag.String("profile", "", "write the profile to this `file`")
	klabel := flag.String("klabel", "./klabel", "the `program` that makes entries of functions")
	functions := flag.String("functions", "", "`names` of functions, separated by commas")
	criteria := flag.String("criteria", "MCC", "criteria for functions")
	budget := flag.Duration("budget", 10*time.Second, "`time` for each function")
	flag.Parse()
	var err error
	if *functions != "" {
		err = profileFunctions(*klabel, flag.Args(), strings.Split(*functions, ","), *criteria, *profile, *budget)
	} else {
		err = measureStates(*root, *only, *bits, *memory, *profile)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "native:", err)
		os.Exit(1)
	}
}

func measureStates(root, only string, bits, memory int, profile string) error {
	files, err := filepath.Glob(filepath.Join(root, "*.c"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no program in %s", root)
	}
	fmt.Printf("%d states at once.\n\n| program | states | dropped | bytes a state | 1,000,000 states, GB |"+
		" process, GB | instructions | seconds |\n|---|---|---|---|---|---|---|---|\n", 1<<bits)
	for _, f := range files {
		if !strings.Contains(f, only) {
			continue
		}
		if err := measure(f, bits, memory, profile); err != nil {
			return err
		}
	}
	return nil
}

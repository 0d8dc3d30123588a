// Command annotate measures how fast labels are put into C files: seconds of
// processor time for reading and for labelling, clang included where it folds
// predicates, megabytes a second, and peak memory.
//
//	go run ./bench/annotate -criteria CC,DC,MCC FILE.c...
//
// Files are preprocessed by clang first, which is not part of the figures. The
// target: 2 MB of preprocessed C a second for all criteria of one family on
// one core, and 250,000 lines within 30 s and 2 GB.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/toolchain"
)

func main() {
	criteria := flag.String("criteria", "DC,CC,DCC,MCC,GACC,GICC,IC,UTPC", "what to label")
	flags := flag.String("flags", "", "compiler flags")
	profile := flag.String("cpuprofile", "", "file for a profile")
	out := flag.String("o", "", "write the labelled text of the last file here")
	cores := flag.Int("cores", 1, "processors to use")
	flag.Parse()
	runtime.GOMAXPROCS(*cores)
	debug.SetGCPercent(300) // as the command does
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			defer f.Close()
			_ = pprof.StartCPUProfile(f)
			defer pprof.StopCPUProfile()
		}
	}
	if err := run(*criteria, strings.Fields(*flags), *out, flag.Args()); err != nil {
		pprof.StopCPUProfile()
		fmt.Fprintln(os.Stderr, "annotate bench:", err)
		os.Exit(1)
	}
}

func run(criteria string, flags []string, out string, files []string) error {
	ctx := context.Background()
	tools, err := toolchain.Probe(ctx, toolchain.Want{})
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %9s %9s %9s %9s %8s %9s %8s %8s\n", "file", "MB", "lines", "parse s", "label s", "wall s", "labels", "MB/s", "peak MB")
	var bytesAll, secondsAll float64
	for _, f := range files {
		u, err := csource.Load(ctx, f, csource.Options{Clang: tools.Clang, Flags: flags})
		if err != nil {
			return err
		}
		text := u.Text
		u = nil
		runtime.GC()
		start, cpu := time.Now(), processorTime()
		u, err = csource.Parse(ctx, f, text, csource.Options{})
		if err != nil {
			return err
		}
		parsed := processorTime() - cpu
		l, err := annotate.Unit(ctx, u, annotate.Options{Criteria: []string{criteria}, Clang: tools.Clang, Flags: flags})
		if err != nil {
			return err
		}
		total, wall := processorTime()-cpu, time.Since(start)
		if !bytes.Equal(l.Original(), text) {
			return fmt.Errorf("%s: taking the insertions out does not give the text", f)
		}
		mb := float64(len(text)) / 1e6
		bytesAll, secondsAll = bytesAll+mb, secondsAll+total.Seconds()
		fmt.Printf("%-28s %9.2f %9d %9.2f %9.2f %8.2f %9d %8.2f %8d\n", filepath.Base(f), mb, bytes.Count(text, []byte("\n")), parsed.Seconds(),
			(total - parsed).Seconds(), wall.Seconds(), len(l.Labels), mb/total.Seconds(), peak())
		for _, w := range l.Warnings {
			fmt.Println("  ", w)
		}
		if out != "" {
			if err := os.WriteFile(out, l.Text, 0o644); err != nil {
				return err
			}
		}
	}
	fmt.Printf("all: %.2f MB in %.2f s: %.2f MB/s\n", bytesAll, secondsAll, bytesAll/secondsAll)
	return nil
}

// processorTime is what this process and the compilers that it ran have used.
func processorTime() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var ru syscall.Rusage
		_ = syscall.Getrusage(who, &ru)
		sum += time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	}
	return sum
}

// peak is the largest resident size of this process so far, in MB.
func peak() int64 {
	var ru syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return ru.Maxrss >> 10
}

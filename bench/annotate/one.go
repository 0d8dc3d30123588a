package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/toolchain"
)

// one measures a preprocessed file and prints the figures.
func one(c config, file string) error {
	ctx := context.Background()
	tools, err := toolchain.Probe(ctx, toolchain.Want{})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	defer annotate.CollectLate()()
	if c.Profile != "" {
		f, err := os.Create(c.Profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	start, cpu := time.Now(), processorTime()
	u, err := csource.Parse(ctx, file, text, csource.Options{Flags: c.Flags})
	if err != nil {
		return err
	}
	parsed := processorTime()
	l, err := annotate.Unit(ctx, u, annotate.Options{Criteria: []string{c.Criteria}, Clang: tools.Clang})
	if err != nil {
		return err
	}
	done := processorTime()
	f := figures{
		Bytes: len(text), Lines: bytes.Count(text, []byte("\n")), Labels: len(l.Labels),
		Parse: (parsed - cpu).Seconds(), Label: (done - parsed).Seconds(), Wall: time.Since(start).Seconds(),
		Peak: peak(),
	}
	if !bytes.Equal(l.Original(), u.Text) {
		return fmt.Errorf("taking the insertions out does not give the text")
	}
	if c.Out != "" {
		if err := os.WriteFile(c.Out, l.Text, 0o644); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(f)
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

package replayer

import (
	"fmt"
	"regexp"
	"strings"

	"klabel/label"
)

// sanitizerExit is the exit code that the runtime asks the sanitizers for; it
// counts only together with their report.
const sanitizerExit = 97

// starving is how the reason begins of a run that was ended because it reads on where
// nothing can be read, in runtime_c/replay/starve.c.
const (
	starving = "reads on and on"
	beyond   = starving + " beyond the inputs of the test"
)

// Starved reports whether a run was out of time because it goes on reading at the end
// of its input.
func Starved(v label.Verdict) bool {
	return v.Outcome == label.TimedOut && strings.HasPrefix(v.Reason, starving)
}

// Exhausted reports whether a run was ended where its test has no further inputs, for
// it goes on and on with any. Its hits are what these inputs alone lead to.
func Exhausted(v label.Verdict) bool { return v.Outcome == label.TimedOut && v.Reason == beyond }

// judge turns what a run left in shared memory into a verdict.
func judge(s *sharedMemory, symbols *symbols) label.Verdict {
	v := label.Verdict{Hits: s.hits(), Reason: oneLine(s.reason()), Duration: s.duration()}
	end := s.get(offEnd)
	if end == endNormal && s.get(offExit) == sanitizerExit && strings.Contains(s.output(), "Sanitizer") {
		end = endSanitizer
	}
	switch end {
	case endNormal:
		v.Outcome = label.Normal
		if n := s.get(offExit); n != 0 {
			v.Status, v.Reason = int(n), fmt.Sprintf("exit status %d", n)
		}
	case endSignal:
		v.Outcome = label.Crashed
	case endSanitizer:
		v.Outcome = label.SanitizerErr
		if text := summary(s.output(), symbols); text != "" {
			v.Reason = text
		} else if v.Reason == "" {
			v.Reason = "a sanitizer ended the program"
		}
	case endAbort:
		v.Outcome = label.Aborted
	case endTimeout:
		v.Outcome, v.ReadTo = label.TimedOut, int(s.get(offReadTo))
	case endMemory:
		v.Outcome = label.OutOfMemory
	case endDiverged:
		v.Outcome = label.Diverged
	case endReported:
		v.Outcome = label.ReportedErr
	case endBroken:
		// The program can say so too: it costs this test and no more.
		v.Outcome, v.Reason, v.Hits = label.Diverged, "cannot be replayed: "+v.Reason, nil
	}
	return v
}

var (
	asanError  = regexp.MustCompile(`(?m)ERROR: AddressSanitizer: (.*)$`)
	ubsanError = regexp.MustCompile(`(?m)^(\S.*:\d+:\d+): runtime error: (.*)$`)
	asanFrame  = regexp.MustCompile(`(?m)^ +#\d+ 0x[0-9a-f]+ +\((.*)\+0x([0-9a-f]+)\)`)
	address    = regexp.MustCompile(` \(?(on (unknown )?address|at pc|pc|bp|sp|T\d+).*$`)
)

// summary makes one line of a sanitizer's report: what, and where in the
// source. It is found at the end of what the program printed.
func summary(output string, symbols *symbols) string {
	if m := last(ubsanError, output); m != nil {
		return fmt.Sprintf("UndefinedBehaviorSanitizer: %s at %s", oneLine(output[m[4]:m[5]]), output[m[2]:m[3]])
	}
	m := last(asanError, output)
	if m == nil {
		return ""
	}
	text := "AddressSanitizer: " + oneLine(address.ReplaceAllString(output[m[2]:m[3]], ""))
	if strings.Contains(output[m[1]:], "address points to the zero page") {
		text += " on a null pointer"
	}
	if ofDriver(output[m[1]:], symbols) {
		text += ": " + DriversMemory
	}
	// The first stack is where it happened; the first frame of it that has a
	// source line is the program's, after the sanitizer's own.
	for _, f := range asanFrame.FindAllStringSubmatch(output[m[1]:], 20) {
		if place := symbols.place(f[1], f[2]); place != "" {
			return text + " at " + place
		}
	}
	return text
}

// DriversMemory stands in the reason of a verdict whose error is that of memory
// which the driver gave, and not the program's own.
const DriversMemory = "in memory that the driver gives"

// memoryOf finds, in a report, whose memory an error is in: the frame of a function
// whose stack it is, or those in which it was allocated.
var memoryOf = regexp.MustCompile(
	`(?m)^(?:Address 0x\S+ is located in stack of thread .* in frame|(?:previously )?allocated by thread .* here:)\n` +
		`((?: +#\d+ 0x.*\n?){1,4})`)

// ofDriver reports whether an error is in memory of a driver's: its code has no
// lines.
func ofDriver(report string, symbols *symbols) bool {
	m := memoryOf.FindStringSubmatch(report)
	if m == nil {
		return false
	}
	for _, f := range asanFrame.FindAllStringSubmatch(m[1], -1) {
		if symbols.place(f[1], f[2]) != "" {
			return false
		}
	}
	return true
}

func last(re *regexp.Regexp, s string) []int {
	all := re.FindAllStringSubmatchIndex(s, -1)
	if all == nil {
		return nil
	}
	return all[len(all)-1]
}

// oneLine keeps a program's text from breaking messages and label files.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:297], "") + "..."
	}
	return s
}

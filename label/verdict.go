package label

import "time"

// Outcome says how the replay of a test ended.
type Outcome string

// The outcomes of a replay. Only Normal lets the labels that were hit count.
const (
	Normal       Outcome = "normal"        // main returned, or exit was called
	Crashed      Outcome = "crashed"       // killed by a signal (SIGSEGV, SIGFPE, ...)
	SanitizerErr Outcome = "sanitizer"     // AddressSanitizer or UBSan reported
	Aborted      Outcome = "aborted"       // abort, or a failed assertion of the user's
	TimedOut     Outcome = "timeout"       // longer than the test's time limit
	OutOfMemory  Outcome = "out-of-memory" // more than the memory limit, or than every machine has
	Diverged     Outcome = "diverged"      // the inputs do not fit the program: an assumption is false
	ReportedErr  Outcome = "reported"      // the program called klee_report_error
)

// RuntimeError reports whether the test belongs under runtime-errors/.
func (o Outcome) RuntimeError() bool { return o != Normal && o != Diverged }

// Verdict is what a replay says of a test.
type Verdict struct {
	Outcome  Outcome       `json:"outcome"`
	Reason   string        `json:"reason,omitempty"` // one line for people: the signal, the sanitizer's summary
	Hits     []ID          `json:"hits,omitempty"`   // labels satisfied on the way; they count only if Outcome is Normal
	Duration time.Duration `json:"duration"`
	Status   int           `json:"status,omitempty"` // with which a process ended normally
	// ReadTo is how much of standard input a run has read that was ended because it reads on and on.
	ReadTo int `json:"-"`
}

package klee

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"klabel/disk"
	"klabel/engine"
	"klabel/fault"
	"klabel/toolchain"
)

// outcome makes totals of what KLEE left, and an error of a KLEE that failed.
func (r *run) outcome(result toolchain.Result, exit error) (engine.Stats, error) {
	s := engine.Stats{Seconds: result.Elapsed.Round(time.Millisecond).Seconds()}
	info := readInfo(filepath.Join(r.dir, "info"))
	row, rowErr := readRunStats(r.dir, true)
	if rowErr != nil {
		row = statsRow{}
	}
	s.Tests = countTests(r.dir)
	s.Instructions = max(info.total("total instructions"), row.count("Instructions"))
	s.Paths = max(info.total("completed paths")+info.total("partially completed paths"), row.paths())
	s.Queries = max(info.total("total queries"), row.count("SolverQueries"), row.count("NumQueries"))

	s.Notes = append(lostPaths(row), lossWarnings(r.dir, r.halted)...)
	if r.fat.Load() {
		s.Notes = append(s.Notes, fmt.Sprintf("KLEE was ended before it had more than %d MB of memory (--max-memory), "+
			"to which it does not keep by itself", r.memory))
	}
	if !row.countsTerminations() {
		s.Notes = append(s.Notes, lossyTests(r.dir)...)
	}
	// A path that is alive at a halt counts as explored in info, and has not
	// terminated in run.stats.
	alive := row.countsTerminations() && s.Paths > row.paths()
	s.Complete = exit == nil && !r.halted && info.finished && rowErr == nil &&
		len(s.Notes) == 0 && !alive && !haltedItself(r.dir) && (r.maxInstr == 0 || s.Instructions < r.maxInstr)
	return s, r.failure(result, exit, info)
}

// failure explains a KLEE that did not do its work. Ended because klabel asked
// is no failure, whatever the exit status.
func (r *run) failure(result toolchain.Result, exit error, info info) error {
	stderr := string(result.Stderr)
	if r.halted && (info.started || exit == nil) {
		return nil
	}
	if exit == nil {
		if info.started {
			return nil
		}
		return fault.WithHint(fmt.Errorf("KLEE ended without writing anything to %s%s", r.dir,
			quoted(lastKLEELine(stderr))), "is it really KLEE? try klabel doctor")
	}
	if r.halted && errors.Is(exit, toolchain.ErrStopped) {
		return nil // stopped before it had begun
	}
	var te *toolchain.ToolError
	if !errors.As(exit, &te) {
		return fmt.Errorf("KLEE: %w", exit)
	}
	how := fmt.Sprintf("KLEE failed with exit status %d", te.ExitCode)
	switch {
	case te.Signal == syscall.SIGKILL:
		how = "KLEE was killed"
	case te.Signal != 0:
		how = fmt.Sprintf("KLEE crashed (%s)", te.Signal)
	}
	line := lastKLEELine(stderr)
	return fault.WithHint(&Failure{
		Message: how + quoted(line),
		Log:     tailOf(filepath.Join(r.dir, "messages.txt"), stderr),
		Cause:   exit,
	}, "%s", hint(te, line+"\n"+stderr, r.dir, info))
}

// Failure is a KLEE that ended in a way that nobody asked for.
type Failure struct {
	Message string // what happened, with KLEE's own last word
	Log     string // the end of messages.txt and of KLEE's error output
	Cause   error
}

func (f *Failure) Error() string { return f.Message }

// Unwrap gives the process's error.
func (f *Failure) Unwrap() error { return f.Cause }

func hint(te *toolchain.ToolError, text, dir string, info info) string {
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("No space left on device"):
		return "the disk is full; tests found so far are kept"
	case has("Unknown command line argument"), has("Unknown option"), has("for the --"):
		return "check what is passed with --klee-arg against klee --help"
	case has("error loading program"), has("Unrecognized file type"), has("Invalid bitcode"), has("Unknown attribute"),
		has("Opaque pointers"), has("Invalid record"):
		return "the bitcode does not fit this KLEE's LLVM: use a clang of the same or an older version (klabel doctor)"
	case has("Entry function"):
		return "the program has no main: add one, or let klabel write a driver"
	case has("error while loading shared libraries"):
		return "a library of this KLEE is missing"
	case has("cannot create"):
		return "the output directory cannot be written"
	case has("error loading POSIX support"), has("uclibc"):
		return "this KLEE lacks the POSIX runtime or uclibc"
	case te.Signal == syscall.SIGKILL:
		return "out of memory, most likely: give KLEE a limit with --max-memory"
	case te.Signal != 0 && info.started:
		return fmt.Sprintf("see %s; tests found so far are kept", filepath.Join(dir, "messages.txt"))
	case te.Signal != 0:
		return "it did so before it began: is this KLEE whole? try klabel doctor, or --engine native"
	}
	return ""
}

func quoted(line string) string {
	if line == "" {
		return ""
	}
	return ": " + line
}

// lastKLEELine is the most telling line of KLEE's error output.
func lastKLEELine(stderr string) string {
	best := ""
	for line := range strings.SplitSeq(stderr, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "KLEE: ERROR:"), strings.HasPrefix(line, "klee:") && best == "",
			strings.Contains(line, "Unknown command line argument"), strings.Contains(line, "Assertion `"),
			strings.Contains(line, "LLVM ERROR"), strings.Contains(line, "error while loading"):
			best = line
		}
	}
	if best == "" {
		best = toolchain.TellingLine(stderr)
	}
	return best
}

func tailOf(messages, stderr string) string {
	var b strings.Builder
	if text, err := disk.Read(messages); err == nil {
		b.WriteString(lastLines(string(text), 10))
	}
	b.WriteString(lastLines(stderr, 10))
	return b.String()
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n") + "\n"
}

// info is what the file of that name says.
type info struct {
	started, finished bool
	totals            map[string]uint64
}

func (i info) total(name string) uint64 { return i.totals[name] }

var doneLine = regexp.MustCompile(`^KLEE: done: (.+?) = (\d+)`)

func readInfo(path string) info {
	i := info{totals: map[string]uint64{}}
	f, err := disk.Open(path)
	if err != nil {
		return i
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20) // the first line is KLEE's command line
	for lines.Scan() {
		i.started = true
		if m := doneLine.FindStringSubmatch(lines.Text()); m != nil {
			n, err := strconv.ParseUint(m[2], 10, 64)
			if err == nil {
				i.totals[m[1]] = n
			}
			i.finished = i.finished || m[1] == "generated tests" // the last one
		}
	}
	return i
}

func countTests(dir string) (n uint64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".ktest") {
			n++
		}
	}
	return n
}

func lostPaths(row statsRow) (notes []string) {
	for _, l := range lossy {
		if n := row.count(l.column); n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n, l.note))
		}
	}
	return notes
}

// harmless are the warnings after which the path space is still whole.
var harmless = []string{
	"undefined reference to", "module level assembly", "triples do not match", "This may cause unexpected crashes",
	"Alignment of memory", "renamed empty name", "klee-last", "Timer interval", "with extra arguments",
	"unable to select target", "STP query", "While allocating varargs", "Large alloc", "Unable to find size for global",
	"not consume all objects", "one of the klee_ functions", "Using zero size array fix",
	"resolved symbolic function pointer",
	"Skipping global variable", "klee_warning",
}

// plainExternals are functions outside of the program whose result depends on
// their arguments alone, or that programs call for their output, and klabel's own
// (covered, pending and what begins with klabel_). What any other
// returned, once, says nothing of what it returns in another environment.
var plainExternals = strings.Fields(`printf puts putchar fputs fputc putc fprintf vprintf vfprintf fflush perror fwrite write
	sprintf snprintf vsnprintf vsprintf strlen strcmp strncmp strchr strrchr strstr memchr memcmp strcpy strncpy strcat strncat
	strtol strtoul strtod atoi atol atof qsort bsearch abs labs toupper tolower isalpha isdigit isspace isalnum isupper islower
	isprint ispunct isxdigit __ctype_b_loc __ctype_toupper_loc __ctype_tolower_loc __errno_location __printf_chk __fprintf_chk
	covered pending nop sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 log log2 log10 pow sqrt cbrt ceil floor round trunc fmod fabs hypot
	sinf cosf tanf expf logf powf sqrtf ceilf floorf roundf truncf fmodf fabsf exit _exit abort syscall`)

// haltLines are messages that KLEE ended the search itself before its time.
var haltLines = []string{"HaltTimer invoked", "halting execution", "ctrl-c detected"}

var errorLossy = []string{".solver.err", ".exec.err", ".external.err", ".model.err", ".early"}

// lossWarnings reads in warnings.txt what the statistics do not count, such as
// values made concrete.
func lossWarnings(dir string, halted bool) (notes []string) {
	text, err := disk.Read(filepath.Join(dir, "warnings.txt"))
	if err != nil {
		return nil // not started
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		_, warning, found := strings.Cut(line, "WARNING: ")
		if !found {
			_, warning, found = strings.Cut(line, "WARNING ONCE: ")
		}
		if !found || halted && strings.Contains(warning, "STP did not return") ||
			slices.ContainsFunc(harmless, func(h string) bool { return strings.Contains(warning, h) }) {
			continue
		}
		if name, external := strings.CutPrefix(warning, "calling external: "); external {
			name, _, _ = strings.Cut(name, "(")
			if strings.HasPrefix(name, "klabel_") || slices.Contains(plainExternals, name) {
				continue
			}
			warning = fmt.Sprintf("%s was called natively: what it may return otherwise was not explored", name)
		}
		if !slices.Contains(notes, warning) && len(notes) < 20 {
			notes = append(notes, warning)
		}
	}
	return notes
}

// lossyTests counts the tests that end in an error of KLEE's own: before 3.0
// nothing else tells of them.
func lossyTests(dir string) (notes []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // not started
	}
	lost := map[string]int{}
	for _, e := range entries {
		for _, suffix := range errorLossy {
			if strings.HasSuffix(e.Name(), suffix) {
				lost[suffix]++
			}
		}
	}
	for _, suffix := range errorLossy {
		if lost[suffix] > 0 {
			notes = append(notes, fmt.Sprintf("%d tests end in %s", lost[suffix], suffix))
		}
	}
	return notes
}

// haltedItself looks for a limit in KLEE's messages.
func haltedItself(dir string) bool {
	text, err := disk.Read(filepath.Join(dir, "messages.txt"))
	return err != nil || slices.ContainsFunc(haltLines, func(
		h string) bool {
		return strings.Contains(string(text), h)
	})
}

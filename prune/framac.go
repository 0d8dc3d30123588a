package prune

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"klabel/csource"
	"klabel/disk"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// framacFlags make Frama-C's kernel compute as engine and replay do: wrap
// around, no rule about negative shifts, floating point with infinities and NaN.
var framacFlags = []string{"-machdep", "gcc_x86_64", "-c11", "-no-warn-signed-overflow", "-no-warn-signed-downcast",
	"-no-warn-unsigned-overflow",
	"-no-warn-unsigned-downcast", "-no-warn-left-shift-negative", "-no-warn-right-shift-negative",
	"-no-warn-pointer-downcast", "-warn-special-float", "none"}

// stopDecl declares how a run ends for the texts that call it.
const stopDecl = "/*@ terminates \\false; exits \\true; assigns \\nothing; ensures \\false; */ extern void " +
	"klabel_stop(void);\n"

// model is a piece of runtime_c/prune/framac.c.
type model struct {
	needs []string
	text  string
}

// models reads the pieces by function.
func models() (map[string]model, error) {
	b, err := runtime_c.FS.ReadFile("prune/framac.c")
	if err != nil {
		return nil, err
	}
	out := map[string]model{}
	for _, part := range strings.Split(string(b), "\n//! ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		name, needs, _ := strings.Cut(head, ":")
		out[name] = model{strings.Fields(needs), text + "\n"}
	}
	return out, nil
}

// modelText is the text of all models that the program calls and does not
// define. klabel_stop is left out: every text declares it.
func (p *program) modelText(also ...string) (string, error) {
	all, err := models()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(stopDecl)
	done := map[string]bool{"klabel_stop": true}
	var add func(string)
	add = func(name string) {
		m, ok := all[name]
		if done[name] || !ok || p.funcs[name] != nil {
			return
		}
		done[name] = true
		for _, n := range m.needs {
			add(n)
		}
		b.WriteString(m.text)
	}
	for _, n := range also {
		add(n)
	}
	for _, f := range p.order {
		for _, c := range sortedKeys(f.calls) {
			add(c)
		}
	}
	return b.String(), nil
}

// framacKnows reports whether a call of name needs no body: a model, or a
// builtin that computes.
func framacKnows(name string) bool {
	if framacModels == nil {
		framacModels, _ = models()
	}
	if _, ok := framacModels[name]; ok {
		return true
	}
	return name == "__builtin_memcpy" || name == "__builtin_expect" || name == "__builtin_unreachable" ||
		name == "__builtin_trap"
}

var framacModels, _ = models()

var reBuiltin = regexp.MustCompile(`\b__builtin_(memcpy|expect|unreachable|trap)\b`)

// framacText makes a text that Frama-C reads out of one that clang reads.
func framacText(text []byte) []byte {
	return reBuiltin.ReplaceAllFunc(text, func(b []byte) []byte {
		switch string(b[len("__builtin_"):]) {
		case "memcpy":
			return []byte("klabel_memcpy")
		case "expect":
			return []byte("klabel_expect")
		}
		return []byte("klabel_stop")
	})
}

const framacHead = "extern void *Frama_C_memcpy(void *, const void *, unsigned long); " +
	"static void *klabel_memcpy(void *to, const void *from, unsigned long n) " +
	"{ return n == 0 ? to : Frama_C_memcpy(to, from, n); } " +
	"static long klabel_expect(long a, long b) { return a; }\n"

// verdicts are the statuses of the checks named klabel_..., by the rest of
// their names.
type verdicts map[string]string

// proved reports whether a check can never fail.
func (v verdicts) proved(name string) bool { return v[name] == "Valid" || v[name] == "Dead" }

// alarm is something that Frama-C's analysis could not exclude and assumes not
// to happen.
type alarm struct{ Kind, Where string }

// framac runs Frama-C on texts and returns what the properties report says.
// args are the analyses; the report is made after them.
func (j *job) framac(ctx context.Context, name string, files []string, limit time.Duration, args ...string) (verdicts,
	[]alarm, []byte, error) {
	report := j.file(name + ".csv")
	os.Remove(report)
	argv := append(j.limited(j.FramaC.Path), framacFlags...)
	argv = append(argv, files...)
	argv = append(argv, args...)
	argv = append(argv, "-then", "-report-csv", report)
	log := j.file(name + ".log")
	out, err := os.Create(log)
	if err != nil {
		return nil, nil, nil, err
	}
	defer out.Close()
	env := append(os.Environ(), "WHY3CONFIG="+j.file("why3.conf"))
	_, err = toolchain.Run(ctx, toolchain.Command{Argv: argv, Stdout: out, Timeout: limit, Env: env, Guard: true})
	text, _ := disk.Read(log)
	if err != nil {
		if file, why := framacError(text); why != "" {
			if !bytes.Contains(text, []byte("[eva] ")) && !bytes.Contains(text, []byte("[wp] ")) {
				return nil, nil, text, errUnread{file, why}
			}
			return nil, nil, text, fmt.Errorf("Frama-C: %s", why)
		}
		return nil, nil, text, fmt.Errorf("Frama-C: %w", err)
	}
	v, alarms, err := readReport(report, files)
	return v, alarms, text, err
}

// errUnread says that Frama-C cannot read a text.
type errUnread struct{ file, why string }

func (e errUnread) Error() string { return "Frama-C cannot read the program: " + e.why }

// unreadable remembers that Frama-C does not read a unit, with one warning: the
// other methods, and WP on other units, go on.
func (j *job) unreadable(u *csource.Unit, e errUnread) {
	j.mu.Lock()
	known := j.unread[u]
	j.unread[u] = true
	j.mu.Unlock()
	if !known {
		j.note("Frama-C cannot read %s, which is left to the other methods: %s", u.Path, e.why)
	}
}

func (j *job) unreads(u *csource.Unit) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.unread[u]
}

var (
	reFramacError  = regexp.MustCompile(`(?m)^\[[\w:.-]+\] (?:(\S+?):\d+: )?(?:User Error|Failure):\s*(.*(?:\n  .*)*)`)
	reFramacSyntax = regexp.MustCompile(`(?m)^\[kernel\] (\S+?):\d+:\s*\n\s+(syntax error):?\s*\n.*(before or at token: .*)`)
)

// framacError finds the message that tells why Frama-C gave up, and the file
// that it is about. Lines are left out: they are those of a text made here.
func framacError(log []byte) (file, why string) {
	for _, re := range []*regexp.Regexp{reFramacSyntax, reFramacError} {
		if m := re.FindSubmatch(log); m != nil {
			return filepath.Base(string(m[1])), strings.Join(strings.Fields(string(bytes.Join(m[2:], []byte(" ")))),
				" ")
		}
	}
	return "", ""
}

var reCheck = regexp.MustCompile(`/\*@ check klabel_(\w+):`)

// readReport matches the report's lines, which know files and lines only, with
// the checks in the texts. A check that the report lacks has no verdict.
func readReport(report string, files []string) (verdicts, []alarm, error) {
	b, err := disk.Read(report)
	if err != nil {
		return nil, nil, fmt.Errorf("Frama-C wrote no report: %w", err)
	}
	at := map[string]map[int]string{}
	for _, f := range files {
		text, err := disk.Read(f)
		if err != nil {
			return nil, nil, err
		}
		lines := map[int]string{}
		for i, l := range bytes.Split(text, []byte("\n")) {
			if m := reCheck.FindSubmatch(l); m != nil {
				lines[i+1] = string(m[1])
			}
		}
		at[filepath.Base(f)] = lines
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("Frama-C's report: %w", err)
	}
	v := verdicts{}
	var alarms []alarm
	for _, row := range rows {
		if len(row) < 6 || strings.HasPrefix(row[0], "FRAMAC_SHARE") {
			continue
		}
		line, err := strconv.Atoi(row[2])
		if err != nil {
			continue
		}
		kind, status := row[4], row[5]
		if kind == "user check" {
			if name := at[row[1]][line]; name != "" {
				if old, ok := v[name]; ok && old != status {
					status = "Unknown" // two checks on a line: not to be told apart
				}
				v[name] = status
			}
			continue
		}
		switch status {
		case "Valid", "Dead", "Considered valid":
		default:
			alarms = append(alarms, alarm{kind, fmt.Sprintf("%s:%d", row[1], line)})
		}
	}
	return v, alarms, nil
}

// why3 sets the provers up for WP, in a file of its own: the user's settings
// are left alone, and need not be there.
func (j *job) why3(ctx context.Context) error {
	conf := j.file("why3.conf")
	if _, err := os.Stat(conf); err == nil {
		return nil
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Argv: []string{"why3", "config", "detect"},
		Env: append(os.Environ(), "WHY3CONFIG="+conf), Timeout: 20 * time.Second,
		Hint: "install why3 with z3 or cvc4"})
	return err
}

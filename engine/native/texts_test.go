package native

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// textsHead makes texts of one to three characters, with an end that may come before, of the
// inputs; one has no end that is certain.
const textsHead = `
    int strcmp(const char *, const char *), strncmp(const char *, const char *, unsigned long);
    int strcasecmp(const char *, const char *), strncasecmp(const char *, const char *, unsigned long);
    int memcmp(const void *, const void *, unsigned long);
    unsigned long strlen(const char *), strnlen(const char *, unsigned long);
    char *strchr(const char *, int);
    void *memchr(const void *, int, unsigned long);
    static const char letters[5] = "\0aB\xe1";
    char s[4] = {letters[x & 3], letters[x >> 2], 'a', 0}, q[4] = {letters[y & 3], 'b', letters[y >> 2], 0};
    char open[4] = {letters[x & 3], letters[y & 3], letters[y >> 2], letters[x >> 2]};
    open[x & 3] = 0;
    int r;
    unsigned long n;
    char *at;
`

// textCalls makes random questions about texts.
type textCalls struct {
	r      *rand.Rand
	labels int
}

func (g *textCalls) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *textCalls) text() string {
	return g.pick("s", "q", "s + 1", "q + 2", "open", `"a"`, `"aa"`, `"Ba"`, `""`, `"\xe1""b"`)
}

// char is in the range of a char: clang takes it that strchr finds no other.
func (g *textCalls) char() string {
	return g.pick("'a'", "'B'", "0", "'z'", "letters[y & 3]", `'\xe1'`)
}

// call is a call, and what it is compared with.
func (g *textCalls) call() (call, with string) {
	switch g.r.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("%s(%s, %s)", g.pick("strcmp", "strcasecmp"), g.text(), g.text()), "r"
	case 2, 3:
		return fmt.Sprintf("%s(%s, %s, %s)", g.pick("strncmp", "strncasecmp"), g.text(), g.text(),
			g.pick("0", "1", "2", "9", "(y & 3)")), "r"
	case 4:
		return fmt.Sprintf("memcmp(%s, %s, %s)", g.pick("s", "q", "open"), g.pick("s", "q", `"aBc"`),
			g.pick("0", "1", "2", "4")), "r"
	case 5:
		return fmt.Sprintf("strlen(%s)", g.text()), "n"
	case 6:
		return fmt.Sprintf("strnlen(%s, %s)", g.text(), g.pick("0", "2", "1000")), "n"
	case 7:
		return fmt.Sprintf("strchr(%s, %s)", g.text(), g.char()), "at"
	}
	return fmt.Sprintf("memchr(%s, %s, %s)", g.pick("s", "q", "open"), g.char(), g.pick("0", "1", "3", "4")), "at"
}

func (g *textCalls) statements(depth int) string {
	var s strings.Builder
	for range 2 + g.r.IntN(3) {
		call, with := g.call()
		if g.r.IntN(3) == 0 {
			fmt.Fprintf(&s, "%s = %s;\n", with, call)
			call = with
		}
		c := map[string]string{"r": call + g.pick(" == 0", " != 0", " < 0", " > 0", " >= 0"),
			"n":  call + g.pick(" == 0", " == 1", " != 2", " > 1", " == 3"),
			"at": call + g.pick(" == 0", " != 0"), "": "!" + call}[with]
		switch {
		case depth > 0 && g.r.IntN(3) == 0:
			fmt.Fprintf(&s, "if (%s) {\n%s}\n", c, g.statements(depth-1))
		case with == "at" && g.r.IntN(3) == 0:
			fmt.Fprintf(&s, "at = %s;\nif (at)\na += (unsigned char)*at;\n", call)
		default:
			g.labels++
			fmt.Fprintf(&s, "L(%s, %d)\n", c, g.labels)
			g.labels++
			fmt.Fprintf(&s, "L(!(%s) && a %s, %d)\n", c, g.pick("< 100", "> 200", "== x"), g.labels)
		}
	}
	return s.String()
}

// TestTexts holds what is said of labels behind questions about texts against runs on every
// input there is. KLABEL_TEXTS sets how many programs (4), KLABEL_TEXTS_SEED where to start.
func TestTexts(t *testing.T) {
	count, first := 4, 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_TEXTS")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_TEXTS_SEED")); err == nil {
		first = n
	}
	merged, decided := uint64(0), 0
	for seed := first; seed < first+count && !t.Failed(); seed++ {
		g := &textCalls{r: rand.New(rand.NewPCG(uint64(seed), 11))}
		s := ""
		for g.labels < 10 {
			s += g.statements(2)
		}
		m, d := holdAgainstRuns(t, seed, fmt.Sprintf(mergeFrame, textsHead+s))
		merged, decided = merged+m, decided+d
	}
	t.Logf("%d branches and calls merged, %d labels decided", merged, decided)
	if !t.Failed() && (merged == 0 || decided == 0) {
		t.Error("nothing was merged or decided")
	}
}

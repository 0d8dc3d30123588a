package csource_test

import (
	"strings"
	"testing"

	"klabel/csource"
)

func TestSplice(t *testing.T) {
	const src = `#define A 1
int f(void) {
#ifdef X
#define B \
  2
    return B;
#else
    return A;
#endif
}
int g(void) { return 1; } /* of
two lines */ int h(void) { return 2; }
int i(void) { return 3; }
`
	line := func(first, last int, text string, own bool) csource.Lines {
		return csource.Lines{File: "f.c", First: first, Last: last, Text: []byte(text), Own: own}
	}
	f := src[strings.Index(src, "int f"):strings.Index(src, "int g")]
	i := "int i(void) { return 3; }\n"
	kept := "#ifdef X\n#define B \\\n  2\n#else\n#endif\n"
	for name, c := range map[string]struct {
		lines []csource.Lines
		want  string // in place of f to i, where it is not the same; "" where nothing changes
		was   string
	}{
		"a function with directives": {[]csource.Lines{line(2, 10, "F\n", true)}, "F\n" + kept, f},
		"the same of a header":       {[]csource.Lines{line(2, 10, "F\n", false)}, "", ""},
		"a plain one of a header":    {[]csource.Lines{line(13, 13, "I\n", false)}, "I\n", i},
		"ends in a comment":          {[]csource.Lines{line(11, 11, "G\n", true)}, "", ""},
		"begins in a comment":        {[]csource.Lines{line(12, 12, "H\n", true)}, "", ""},
		"twice, and different":       {[]csource.Lines{line(13, 13, "I\n", true), line(13, 13, "J\n", true)}, "", ""},
		"overlapping":                {[]csource.Lines{line(11, 12, "G\n", true), line(12, 13, "H\n", true)}, "", ""},
		"beyond the file":            {[]csource.Lines{line(13, 99, "I\n", true)}, "", ""},
		"twice the same":             {[]csource.Lines{line(13, 13, "I\n", true), line(13, 13, "I\n", true)}, "I\n", i},
	} {
		with := func(l csource.Lines) string { return string(l.Text) }
		got := string(csource.Splice([]byte(src), csource.SameLines(c.lines), with))
		want := src
		if c.was != "" {
			want = strings.Replace(src, c.was, c.want, 1)
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestFunctionLines(t *testing.T) {
	u, err := csource.Parse(t.Context(), "f.c", []byte(`#line 3 "f.c"
int a(void)
{ return 1; }
int b(void) { return 2; } int c(void) { return 3; }
#line 1 "f.h"
int d(void) {
#line 7 "f.h"
return 4; }
`), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := u.FunctionLines(func(text []byte) bool { return !strings.Contains(string(text), "1") })
	if len(got) != 2 {
		t.Fatalf("%d pieces: %+v", len(got), got)
	}
	if b := got[0]; b.First != 5 || b.Last != 5 || !b.Own || !strings.HasPrefix(string(b.Text), "int b") ||
		!strings.HasSuffix(string(b.Text), "return 3; }") {
		t.Errorf("b and c: %+v", b)
	}
	if d := got[1]; d.File != "f.h" || d.First != 1 || d.Last != 7 || d.Own ||
		string(d.Text) != "int d(void) {\nreturn 4; }" {
		t.Errorf("d: %+v %q", d, d.Text)
	}
}

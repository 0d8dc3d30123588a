package prune

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestQuestions: what is asked together stands together; a leaf is what its conditions make true.
func TestQuestions(t *testing.T) {
	for name, c := range map[string]struct{ labels, want string }{
		"all vectors": {"L(a && b, 1); L(a && !b, 2); L(!a && b, 3); L(!a && !b, 4);",
			"1 2 3 4: if (a) { if (b) { 1; } else { 2; } } else { if (b) { 3; } else { 4; } }"},
		"two at once": {"L(a && b, 1); L(a, 2); L(!(b), 3);",
			"1 2 3: if (a) { if (b) { 1+2; } else { 2+3; } } else { if (b) { -; } else { 3; } }"},
		"a choice": {"L(a ? b : c, 1); L(a, 2);",
			"1 2: if (a) { if (b) { 1+2; } else { 2; } } else { if (c) { 1; } else { -; } }"},
		"no choice": {"L(a || !a, 1); L(1, 2); L(0, 3);",
			"1 2 3: 1+2;"},
		"the same text": {"L(a > 0, 1); L(!(a > 0), 2); L(a > 0 || 0, 3);",
			"1 2 3: if (a > 0) { 1+3; } else { 2; }"},
		"something in between": {"L(a, 1); a++; L(!a, 2);",
			"1: if (a) { 1; } else { -; } | 2: if (a) { -; } else { 2; }"},
		"a branch": {"L(a, 1); if (b) L(!a, 2);",
			"1: if (a) { 1; } else { -; } | 2: if (a) { -; } else { 2; }"},
		"volatile": {"L(v, 1); L(!v, 2);",
			"1: if (v) 1; else -; | 2: if (!v) 2; else -;"},
		"calls": {"L(get(), 1); L(!get(), 2);",
			"1: if (get()) 1; else -; | 2: if (!get()) 2; else -;"},
		"what may fail": {"L(a, 1); L(p && *p, 2); L(p != 0, 3);", "2: if (p && *p) 2; else -; | " +
			"1 3: if (a) { if (p != 0) { 1+3; } else { 1; } } else { if (p != 0) { 3; } else { -; } }"},
		"too many conditions": {"L(a==1 || a==2 || a==3 || a==4 || a==5 || a==6 || a==7 || a==8 || a==9 || a==10 || " +
			"a==11 || a==12 || a==13, 1); L(a, 2);",
			"1: if (a==1 || a==2 || a==3 || a==4 || a==5 || a==6 || a==7 || a==8 || a==9 || " +
				"a==10 || a==11 || a==12 || a==13) 1; else -; | 2: if (a) { 2; } else { -; }"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "int get(void); volatile int v;\nvoid f(int a, int b, int c, int *p) { " +
				regexp.MustCompile(`L\((.*?), (\d)\);`).ReplaceAllString(c.labels, `cov_label($1, $2, "x");`) + " }\n"
			p, u, _ := parse(t, text)
			var got []string
			for _, q := range questions(u, p.labels) {
				code := strings.TrimSpace(q.code)
				for probe, holds := range q.leaves {
					var true []string
					for i, h := range holds {
						if h {
							true = append(true, fmt.Sprint(q.labels[i].ID))
						}
					}
					if true == nil {
						true = []string{"-"}
					}
					code = strings.ReplaceAll(code, "klabel_probe_"+probe+"()", strings.Join(true, "+"))
				}
				got = append(got, strings.Trim(fmt.Sprint(ids(q.labels)), "[]")+": "+code)
			}
			if s := strings.Join(got, " | "); s != c.want {
				t.Errorf("%s, want\n%s\n%s", s, c.want, text)
			}
		})
	}
}

// TestLargeTrees: labels that would make a tree too large are asked for in parts, each of them once.
func TestLargeTrees(t *testing.T) {
	var b strings.Builder
	var want []string
	id := 0
	for i := range 11 {
		for k := range i {
			id++
			fmt.Fprintf(&b, "cov_label(a == %d && a != %d, %d, \"x\"); ", i, k, id)
			want = append(want, fmt.Sprint(id))
		}
	}
	p, u, _ := parse(t, "void f(int a) { "+b.String()+" }\n")
	var got []string
	qs := questions(u, p.labels)
	for _, q := range qs {
		if n := strings.Count(q.code, "klabel_probe_"); n > maxLeaves {
			t.Errorf("%d leaves", n)
		}
		got = append(got, strings.Fields(strings.Trim(fmt.Sprint(ids(q.labels)), "[]"))...)
	}
	if len(qs) < 2 || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%d questions: %v", len(qs), got)
	}
}

package campaign

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/label"
)

const twoSites = `
@.str = private unnamed_addr constant [9 x i8] c"klabel\0A1\0Aa b.c\0A4\0Ax == '\22' &&  y\0A\22MCC,WM ROR\22, \22\22\00", align 1
@.str.1 = private constant [9 x i8] c"klabel\0A0x11u\0Ab.c\0A7\0Ay\\2\0A\22\22\00", align 1
@.str.2 = private constant [9 x i8] c"klabel\0A1\0Aa b.c\0A4\0Ax == '\22' &&  y\0A\22MCC,WM ROR\22, \22\22\00", align 1
@.str.3 = private constant [9 x i8] c"no klabel\00", align 1
`

func TestLabelsInBitcode(t *testing.T) {
	got, err := labelsIn([]byte(twoSites))
	want := []label.Label{
		{ID: 1, Tags: []string{"MCC", "WM ROR"}, Position: label.Position{File: "a b.c", Line: 4}, Predicate: `x == '"' && y`},
		{ID: 17, Position: label.Position{File: "b.c", Line: 7}, Predicate: `y\2`},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for text, why := range map[string]string{
		`@a = constant [9 x i8] c"klabel\0A1\0Aa.c\0A4\0Ax\0A\00"` + "\n" +
			`@b = constant [9 x i8] c"klabel\0A1\0Aa.c\0A5\0Ax\0A\00"`: "label 1 is at a.c:5 and elsewhere too",
		`@a = constant [9 x i8] c"klabel\0An + 1\0Aa.c\0A4\0Ax\0A\00"`: "has no number",
		`@a = constant [9 x i8] c"klabel\0A1\0Aa.c\0A4\00"`:            "cut short",
		`@a = constant [9 x i8] c"klabel\0A1\0Aa.c\0Afour\0Ax\0A\00"`:  "label 1 in it has no line",
	} {
		if _, err := labelsIn([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
	}
}

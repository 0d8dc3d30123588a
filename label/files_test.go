package label

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const sample = "# id, status, tag, origin_loc, current_loc, emitter, drivers, exec_time\n" +
	"1, unknown, CC, f.c:7, , LAnnot, , 0.\n" +
	"2, covered, WM ROR, dir/f.c:12, , LAnnot, main, 1.5\n" +
	"3, uncoverable, , , , , , 0.\n" +
	"4, unreachable, MCC, \"a,b.c:3\", , LAnnot, , 0.\n"

func TestFileIsReadAndWrittenTheSame(t *testing.T) {
	rows, err := ReadFile(strings.NewReader(sample), "f.labels")
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{ID: 1, Status: Unknown, Tag: "CC", Origin: Location{File: "f.c", Line: 7}, Emitter: "LAnnot"},
		{ID: 2, Status: Covered, Tag: "WM ROR", Origin: Location{File: "dir/f.c", Line: 12}, Emitter: "LAnnot", Drivers: "main", Seconds: 1.5},
		{ID: 3, Status: Infeasible},
		{ID: 4, Status: Infeasible, Unreachable: true, Tag: "MCC", Origin: Location{File: "a,b.c", Line: 3}, Emitter: "LAnnot"},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Fatalf("got  %+v\nwant %+v", rows, want)
	}
	var b bytes.Buffer
	if err := WriteFile(&b, rows); err != nil {
		t.Fatal(err)
	}
	if b.String() != sample {
		t.Fatalf("got\n%s\nwant\n%s", b.String(), sample)
	}
}

func TestFileReaderIsTolerant(t *testing.T) {
	rows, err := ReadFile(strings.NewReader("\ufeff#x\r\n\r\n7,COVERED\r\n  8 ,unknown,CC,f.c\r\n# c\n"+
		"9, infeasible, x, C:\\f.c:3, , , , "), "f.labels")
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{ID: 7, Status: Covered}, {ID: 8, Tag: "CC", Origin: Location{File: "f.c", Line: 0}}, {ID: 9, Status: Infeasible, Tag: "x", Origin: Location{File: `C:\f.c`, Line: 3}}}
	if !reflect.DeepEqual(rows, want) {
		t.Fatalf("got  %+v\nwant %+v", rows, want)
	}
}

func TestFileErrorsNameEachLineAndKeepTheRest(t *testing.T) {
	in := "x, unknown\n1, maybe\n2\n3, covered\n3, unknown\n4, covered, , , , , , soon\n" +
		"5, covered, a, b, c, d, e, 1., more\n"
	rows, err := ReadFile(strings.NewReader(in), "bad.labels")
	if err == nil || len(rows) != 1 || rows[0].ID != 3 {
		t.Fatalf("rows %v, error %v", rows, err)
	}
	lines := strings.Split(err.Error(), "\n")
	want := []string{"bad.labels:1: label ID \"x\"", "bad.labels:2: unknown label status \"maybe\"", "bad.labels:3: ",
		"bad.labels:5: label 3 is on line 4 already", "bad.labels:6: exec_time \"soon\"", "bad.labels:7: 9 fields"}
	if len(lines) != len(want) {
		t.Fatalf("error:\n%v", err)
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("line %d: got %q, want %q...", i, lines[i], w)
		}
	}
}

func TestRowOfKnowsOnlyTheStatusesOfTheFormat(t *testing.T) {
	for s, want := range map[Status]Status{Unknown: Unknown, Covered: Covered, Pending: Unknown, Infeasible: Infeasible,
		Deselected: Unknown, Duplicate: Unknown, Subsumed: Unknown} {
		if r := RowOf(Label{ID: 1}, s, "klabel"); r.Status != want {
			t.Errorf("%v is written as %v, want %v", s, r.Status, want)
		}
	}
}

func FuzzLabelsFile(f *testing.F) {
	f.Add(sample)
	f.Add("1,unknown,\"a\"\"b\",x:1\n")
	f.Add("0x10,covered,,\"q,\n")
	f.Fuzz(func(t *testing.T, s string) {
		rows, _ := ReadFile(strings.NewReader(s), "f")
		var b bytes.Buffer
		if err := WriteFile(&b, rows); err != nil {
			t.Fatal(err)
		}
		again, err := ReadFile(bytes.NewReader(b.Bytes()), "f")
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, b.String())
		}
		if len(rows) != len(again) || len(rows) > 0 && !reflect.DeepEqual(rows, again) {
			t.Fatalf("round trip:\n%#v\n%#v\n%q", rows, again, b.String())
		}
	})
}

func TestLocations(t *testing.T) {
	for _, s := range []string{"", "f.c", "f.c:7", "f.c:7:12", "f.c:7 (MAX)", "dir/f.c:7:12 (MAX)", "C:\\f.c:3",
		"odd name (1).c", "f.c:07", "a:0"} {
		if got := parseLocation(s).String(); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
	if l := parseLocation("f.c:7:12 (MAX)"); l != (Location{"f.c", 7, 12, "MAX"}) {
		t.Errorf("got %+v", l)
	}
}

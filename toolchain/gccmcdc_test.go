package toolchain

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// What gcov 14 writes with --conditions --json-format --stdout, as its manual has
// it: an object a file of counts.
func TestReadConditions(t *testing.T) {
	text := `{"gcc_version": "14.2.0", "format_version": "2", "current_working_directory": "/w", "data_file": "p-a.gcda",
"files": [{"file": "a.c", "functions": [{"name": "f", "execution_count": 2}], "lines": [
 {"line_number": 2, "function_name": "f", "count": 2, "unexecuted_block": false, "branches": [], "calls": [],
  "conditions": [{"count": 6, "covered": 3, "not_covered_false": [1], "not_covered_true": [0, 2]},
   {"count": 2, "covered": 2, "not_covered_false": [], "not_covered_true": []}]},
 {"line_number": 3, "function_name": "f", "count": 0, "branches": [], "conditions": []}]}]}
{"gcc_version": "14.2.0", "current_working_directory": "/w", "files": [{"file": "/h.h", "functions": [], "lines": [
 {"line_number": 9, "function_name": "g", "conditions": [{"count": 2, "covered": 0, "not_covered_false": [0],
  "not_covered_true": [0]}]}]}]}
`
	got, err := readConditions([]byte(text))
	want := GCCMeasure{Functions: map[string]bool{"f": true}, Records: []GCCRecord{
		{"f", "/w/a.c", 2, []bool{false, true, false}, []bool{true, false, true}},
		{"f", "/w/a.c", 2, []bool{true}, []bool{true}},
		{"g", "/h.h", 9, []bool{false}, []bool{false}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %+v", err, got)
	}
	if _, err := readConditions([]byte("gcov: unrecognized option")); err == nil {
		t.Error("what is no JSON is read")
	}
}

// The newest gcc of 14 and later is found, with a gcov of its own; others are not.
func TestMCDCGCC(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	tool := func(name, says string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	find := func() string {
		g, err := (&Tools{}).MCDCGCC(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			return "none"
		}
		return filepath.Base(g.Path) + " " + g.Version + " " + filepath.Base(g.gcov)
	}
	tool("gcc", "13.2.0")
	tool("gcov", "")
	if _, err := os.Stat("/usr/bin/gcc-14"); err != nil {
		if got := find(); got != "none" {
			t.Errorf("gcc 13: found %s", got)
		}
	}
	tool("gcc", "14.1.0")
	tool("gcc-23", "clang version 19") // no gcc
	tool("gcov-23", "")
	tool("gcc-22", "22.1.1") // without gcov
	if _, err := os.Stat("/usr/bin/gcc-14"); err != nil {
		if got := find(); got != "gcc 14.1.0 gcov" {
			t.Errorf("found %s", got)
		}
	}
	tool("gcov-22", "")
	if got := find(); got != "gcc-22 22.1.1 gcov-22" {
		t.Errorf("found %s", got)
	}
}

package toolchain

import (
	"reflect"
	"testing"
)

// What llvm-cov 18 and 19 export, and one with counts before the kind.
func TestReadMCDC(t *testing.T) {
	text := `{"data":[{"files":[],"functions":[
{"name":"f","filenames":["/a.c","/m.h"],"mcdc_records":[[3,7,3,20,0,5,[true,true,false]],[9,1,9,4,1,5,[false,false]]]},
{"name":"g.c:g","filenames":["/g.c"],"mcdc_records":[[4,2,4,9,0,12,0,5,[true,false]]]},
{"name":"h","filenames":["/h.c"]}]}],"version":"2.0.1"}`
	got, err := readMCDC([]byte(text))
	want := []MCDCRecord{{"f", "/a.c", 3, 7, false, []bool{true, true, false}},
		{"f", "/a.c", 9, 1, true, []bool{false, false}}, {"g.c:g", "/g.c", 4, 2, false, []bool{true, false}},
		{Function: "h", File: "/h.c"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %+v", err, got)
	}
	if _, err := readMCDC([]byte("warning: no data")); err == nil {
		t.Error("what is no JSON is read")
	}
}

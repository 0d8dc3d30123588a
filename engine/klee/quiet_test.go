package klee

import (
	"strings"
	"testing"
)

// A call is left out if it only prints.
func TestForUclibc(t *testing.T) {
	const typed = "i8* noundef getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0)"
	const opaque = "ptr noundef @.str"
	for _, c := range []struct{ name, call, want string }{
		{"typed pointers", "%9 = call i32 (i8*, ...) @printf(" + typed + ", i32 noundef %2), !dbg !40", "%9 = add i32 0, 0"},
		{"opaque pointers", "%9 = call i32 (ptr, ...) @printf(" + opaque + ", i32 noundef %2) #4", "%9 = add i32 0, 0"},
		{"not numbered", "call void @perror(" + opaque + ")", ""},
		{"characters", "%9 = call i32 @putchar(i32 noundef %2)", "%9 = add i32 0, 0"},
		{"a long result", "%9 = call i64 @fwrite(ptr noundef %2, i64 noundef 1, i64 noundef 3, ptr noundef %out)",
			"%9 = add i64 0, 0"},
		{"to stderr", "%9 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %err, " + opaque + ")", "%9 = add i32 0, 0"},
		{"to a file", "%9 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %2, " + opaque + ")", "="},
		{"what is printed to a file is stdout", "%9 = call i32 @fputc(i32 %out, ptr noundef %2)", "="},
		{"all streams", "%9 = call i32 @fflush(ptr noundef null)", "="},
		{"a format that writes", "%9 = call i32 (ptr, ...) @printf(ptr noundef @.count, ptr noundef %2)", "="},
		{"any format", "%9 = call i32 (ptr, ...) @printf(ptr noundef %2)", "="},
		{"a variable as format", "%9 = call i32 (ptr, ...) @printf(ptr noundef @text)", "="},
		{"a result that counts", "%used = call i32 @putchar(i32 noundef %2)", "="},
		{"the program's own", "%9 = call i32 @puts(ptr noundef %2)", "="},
		{"to memory", "%9 = call i32 (ptr, ptr, ...) @sprintf(ptr noundef %2, " + opaque + ")", "="},
		{"a name of glibc", "%9 = call i32 (ptr, ...) @__isoc99_scanf(" + opaque + ", ptr noundef %2)",
			"%9 = call i32 (ptr, ...) @scanf(" + opaque + ", ptr noundef %2)"},
		{"the program's own under a name of C", "%9 = call i64 @__isoc23_strtol(ptr noundef %2, ptr null, i32 10)", "="},
	} {
		program := func(call string) string {
			if call != "" {
				call = "  " + call + "\n"
			}
			return "@.str = private unnamed_addr constant [4 x i8] c\"%d\\0A\\00\", align 1\n" +
				"@.count = private unnamed_addr constant [3 x i8] c\"%ln\\00\", align 1\n" +
				"@text = global [4 x i8] c\"%d\\0A\\00\"\n" +
				"define i32 @main() {\n  %out = load ptr, ptr @stdout, align 8\n  %err = load ptr, ptr @stderr\n" +
				"  %2 = load ptr, ptr @other\n" + call + "  ret i32 %used\n}\n"
		}
		own := "define i32 @puts(ptr %0) {\n  ret i32 0\n}\ndefine internal i64 @strtol() {\n  ret i64 0\n}\n"
		want := c.want
		if want == "=" {
			want = c.call
		}
		got := ForUclibc([][]byte{[]byte(program(c.call)), []byte(own)})
		if string(got[0]) != program(want) || string(got[1]) != own {
			t.Errorf("%s: got\n%s%s", c.name, got[0], got[1])
		}
	}
	both := "declare i32 @__isoc99_scanf(ptr, ...) #1\ndeclare i32 @scanf(ptr, ...)\n"
	if got := ForUclibc([][]byte{[]byte(both)}); strings.Count(string(got[0]), "declare i32 @scanf(") != 1 {
		t.Errorf("declared by both names: %s", got[0])
	}
}

package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/engine"
)

// A function that its library wants copied into each caller is called by them, unless
// what it does depends on whose frame it runs in.
func TestStaticFunctionsAreCalled(t *testing.T) {
	const source = `#define FORCE static inline __attribute__((always_inline))
FORCE int late(int x);
FORCE int clamp(int x)
{
    cov_label(x > 9, 1);
    return x > 9 ? 9 : x;
}
__attribute__((__always_inline__)) static int twice(int x)
{
    cov_label(x == 5, 2);
    return clamp(x) + clamp(x + 1);
}
FORCE void *frame(void)
{
    return __builtin_frame_address(0);
}
inline __attribute__((always_inline)) int open_code(int x)
{
    return x + 1;
}
int main(void)
{
    return twice(clamp(3)) + late(4) + (frame() == 0) + open_code(1) - 12;
}
FORCE int late(int x)
{
    cov_label(x == 4, 3);
    return clamp(x);
}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	writeFile(t, file, []byte(source))
	u := load(t, file)
	for mode, call := range map[engine.Mode]string{Replay: "klabel_hit", engine.Greybox: "klabel_label"} {
		text, err := Rewrite(u, Options{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "always_inline"); n != 2 {
			t.Errorf("%s: the attribute stays %d times, want it on frame and open_code:\n%s", mode, n, text)
		}
		c, ll := filepath.Join(dir, string(mode)+".c"), filepath.Join(dir, string(mode)+".ll")
		writeFile(t, c, text)
		compile(t, ll, "-S", "-emit-llvm", "-O0", "-w", c)
		ir, err := os.ReadFile(ll)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(ir), "call void @"+call+"("); n != 3 {
			t.Errorf("%s: 3 labels have %d places", mode, n)
		}
	}
}

package native

import "testing"

func TestCachedLibcIsChecked(t *testing.T) {
	text := []byte("define i32 @f() {\n  ret i32 0\n}\n")
	whole := append(text[:len(text):len(text)], checksumLine("cache/a.ll", text)...)
	if !isWhole("other/a.ll", whole) {
		t.Error("a whole file is refused")
	}
	if isWhole("cache/b.ll", whole) {
		t.Error("another library's file is taken")
	}
	for n := range whole {
		if isWhole("a.ll", whole[:n]) {
			t.Errorf("cut to %d bytes it is taken", n)
		}
		changed := append([]byte{}, whole...)
		changed[n] ^= 1
		if isWhole("a.ll", changed) {
			t.Errorf("changed at %d it is taken", n)
		}
	}
}

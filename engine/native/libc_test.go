package native

import "testing"

func TestCachedLibcIsChecked(t *testing.T) {
	text := []byte("define i32 @f() {\n  ret i32 0\n}\n")
	whole := append(text[:len(text):len(text)], checksumLine(text)...)
	if !isWhole(whole) {
		t.Error("a whole file is refused")
	}
	for n := range whole {
		if isWhole(whole[:n]) {
			t.Errorf("cut to %d bytes it is taken", n)
		}
		changed := append([]byte{}, whole...)
		changed[n] ^= 1
		if isWhole(changed) {
			t.Errorf("changed at %d it is taken", n)
		}
	}
}

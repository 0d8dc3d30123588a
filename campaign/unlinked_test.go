package campaign

import "testing"

func TestCLibrarysHeaders(t *testing.T) {
	for path, want := range map[string]bool{
		"/usr/include/stdio.h": true, "/usr/include/x86_64-linux-gnu/bits/types.h": true,
		"/usr/include/x86_64-linux-gnu/sys/types.h": true, "/usr/include/linux/limits.h": true,
		"/usr/lib/llvm-19/lib/clang/19/include/stddef.h":    true,
		"/usr/lib/gcc/x86_64-linux-gnu/12/include/limits.h": true,
		"/usr/include/openssl/sha.h":                        false, "/usr/include/zlib.h": false,
		"/usr/include/x86_64-linux-gnu/curl/curl.h": false,
		"/usr/local/include/uv.h":                   false, "/opt/thing/include/stdio.h": false,
	} {
		if got := isCLibrarys(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

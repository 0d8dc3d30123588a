package annotate

import (
	"os"
	"path/filepath"

	"klabel/runtime_c"
)

// headers places the headers that ship with klabel where sources can include
// them, as drivers do, and returns the folder to search. It is the same folder
// each time where the user has one for such things, so that line markers stay
// the same.
func headers() (dir string, done func(), err error) {
	if base, err := os.UserCacheDir(); err == nil {
		if rt, err := runtime_c.Extract(filepath.Join(base, "klabel", "c-"+runtime_c.Digest())); err == nil {
			return rt.Include, func() {}, nil
		}
	}
	tmp, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(tmp) }
	rt, err := runtime_c.Extract(tmp)
	if err != nil {
		done()
		return "", nil, err
	}
	return rt.Include, done, nil
}

package campaign

import (
	"os"
	"path/filepath"

	"klabel/runtime_c"
)

// headers places the shipped C where sources can include it. That is the user's
// cache directory, so that line markers, and with them the program's text, are
// the same each time; where there is none, it is a folder of the moment.
func headers() (rt runtime_c.Paths, done func(), err error) {
	if base, err := os.UserCacheDir(); err == nil {
		if rt, err := runtime_c.Extract(filepath.Join(base, "klabel", "c-"+runtime_c.Digest())); err == nil {
			return rt, func() {}, nil
		}
	}
	tmp, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return rt, nil, describe(err)
	}
	done = func() { os.RemoveAll(tmp) }
	if rt, err = runtime_c.Extract(tmp); err != nil {
		done()
		return rt, nil, describe(err)
	}
	return rt, done, nil
}

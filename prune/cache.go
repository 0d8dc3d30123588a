package prune

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// cacheVersion changes whenever a method may answer differently from before.
const cacheVersion = "2"

// key names an answer by all that it depends on: method, settings, text. What
// is not in the text of a function and the facts about it does not come in, so
// that an unchanged function is not proved again.
func (j *job) key(parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{cacheVersion}, parts...) {
		b, _ := json.Marshal(p)
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// cached reads an earlier answer. A cache that cannot be read is as good as
// none.
func (j *job) cached(key string, into any) bool {
	if j.CacheDir == "" {
		return false
	}
	b, err := os.ReadFile(filepath.Join(j.CacheDir, key[:2], key+".json"))
	return err == nil && json.Unmarshal(b, into) == nil
}

// keep stores an answer, whole or not at all.
func (j *job) keep(key string, v any) {
	if j.CacheDir == "" {
		return
	}
	dir := filepath.Join(j.CacheDir, key[:2])
	b, err := json.Marshal(v)
	if err != nil || os.MkdirAll(dir, 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err != nil || cerr != nil {
		os.Remove(f.Name())
		return
	}
	if os.Rename(f.Name(), filepath.Join(dir, key+".json")) != nil {
		os.Remove(f.Name())
	}
}

package prune

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"klabel/disk"
)

// cacheVersion changes whenever a method may answer differently from before.
const cacheVersion = "5"

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

// sum is the line before an answer in its file. It holds the key too: an answer
// that was damaged, or that lies under another's name, is none.
func sum(key string, answer []byte) string {
	return fmt.Sprintf("%x\n", sha256.Sum256(append([]byte(key), answer...)))
}

// cached reads an earlier answer. A cache that cannot be read is as good as
// none.
func (j *job) cached(key string, into any) bool {
	if j.CacheDir == "" {
		return false
	}
	b, err := disk.Read(filepath.Join(j.CacheDir, key[:2], key+".json"))
	n := len(sum("", nil))
	return err == nil && len(b) >= n && string(b[:n]) == sum(key, b[n:]) && json.Unmarshal(b[n:], into) == nil
}

// keep stores an answer, whole or not at all.
func (j *job) keep(key string, v any) {
	if j.CacheDir == "" {
		return
	}
	dir := filepath.Join(j.CacheDir, key[:2])
	b, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err == nil {
		err = disk.Write(filepath.Join(dir, key+".json"), append([]byte(sum(key, b)), b...))
	}
	if err != nil { // without it the answer is found again
		disk.WithoutCache(err)
	}
}

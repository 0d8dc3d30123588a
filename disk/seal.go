package disk

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// Seal writes a file of the cache that ends with a sum of what is in it, behind what begins a comment
// there. One that was cut or changed, or lies under another's name, is not Sealed.
func Seal(path string, content []byte, comment string) error {
	return Write(path, append(content, seal(path, content, comment)...))
}

// Sealed reports whether a file is there as Seal has written it.
func Sealed(path, comment string) bool {
	b, err := Read(path)
	n := len(b) - len(seal("", nil, comment))
	return err == nil && n >= 0 && string(b[n:]) == seal(path, b[:n], comment)
}

func seal(path string, content []byte, comment string) string {
	return fmt.Sprintf("%ssha256 %x\n", comment, sha256.Sum256(append([]byte(filepath.Base(path)+" "), content...)))
}

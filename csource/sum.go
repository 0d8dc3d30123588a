package csource

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"klabel/disk"
)

// Sum names what Load would read: the bytes of the file, and what the
// preprocessor makes of them, macros included. Two files of one sum, with the
// same compiler, give the same unit or the same error.
func Sum(ctx context.Context, path string, o Options) (string, error) {
	text, err := disk.Read(path)
	if err != nil {
		return "", err
	}
	var raw []byte
	if !o.Preprocessed && !isNil(o.Clang) && !binary(path) {
		raw, err = o.Clang.Preprocess(ctx, path, append(o.preprocessFlags(LabelNames(o.LabelMacros)), "-dD", "-w"))
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var refused string
	if err != nil {
		refused = err.Error()
	}
	return sumOf(text, raw, refused), nil
}

func sumOf(text, raw []byte, refused string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q\n", len(text), len(raw), refused)
	h.Write(text)
	h.Write(raw)
	return hex.EncodeToString(h.Sum(nil))
}

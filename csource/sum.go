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
	source, err := disk.Read(path)
	if err != nil {
		return "", err
	}
	var raw output
	if !o.Preprocessed && !isNil(o.Clang) && !isBinary(source) {
		flags := append(o.preprocessFlags(LabelNames(o.LabelMacros)), "-dD", "-w")
		raw.text, raw.err = o.Clang.Preprocess(ctx, path, flags)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return sumOf(source, raw), nil
}

func sumOf(source []byte, raw output) string {
	var refused string
	if raw.err != nil {
		refused = raw.err.Error()
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q\n", len(source), len(raw.text), refused)
	h.Write(source)
	h.Write(raw.text)
	return hex.EncodeToString(h.Sum(nil))
}

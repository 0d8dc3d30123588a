package campaign

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/drivers"
	"klabel/toolchain"
)

// compiling returns the unit with those of its entries that clang accepts. What its messages blame goes, all at once;
// where they blame nothing, entries are tried by halves.
func compiling(ctx context.Context, clang *toolchain.Clang, u *csource.Unit, d *drivers.Unit, opts csource.Options) (
	*csource.Unit, error) {
	for {
		text := d.Apply(u)
		if bytes.Equal(text, u.Text) { // it was read before
			return u, nil
		}
		out, err := csource.Parse(ctx, u.Path, text, opts)
		if err == nil || ctx.Err() != nil || len(d.Entries) == 0 {
			if err != nil {
				err = fmt.Errorf("the entries do not fit the program: %w", err)
			}
			return out, err
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		reasons := map[int]string{}
		blame := func(line, reason string) {
			for _, n := range drivers.Blame(line) {
				if _, known := reasons[n]; !known && slices.Contains(numbers(d.Entries), n) {
					reasons[n] = reason
				}
			}
		}
		blame(err.Error(), first)
		for line := range strings.Lines(judgeText(ctx, clang.Errors, u, text)) {
			if strings.Contains(line, "error: ") {
				blame(line, strings.TrimSpace(strings.Replace(line, "error: ", "", 1)))
			}
		}
		if len(reasons) == 0 {
			for _, n := range guilty(ctx, u, d, opts) {
				reasons[n] = first
			}
		}
		for _, n := range slices.Sorted(maps.Keys(reasons)) {
			d.Drop(n, "its driver does not compile: "+reasons[n])
		}
	}
}

// judgeText gives clang's words on a unit's text. Without an answer there is nothing to blame more for.
func judgeText(ctx context.Context, judge func(ctx context.Context, file string, flags []string) (string, error),
	u *csource.Unit, text []byte) string {
	f, err := os.CreateTemp("", "klabel-entries-*.i")
	if err != nil {
		return ""
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if cerr := f.Close(); err != nil || cerr != nil {
		return ""
	}
	out, _ := judge(ctx, f.Name(), u.Flags.Language())
	return out
}

// guilty finds an entry that does not compile by halving the list of those that
// are there. With none found all are: the fault is in what they share.
func guilty(ctx context.Context, u *csource.Unit, d *drivers.Unit, opts csource.Options) (out []int) {
	list := slices.Clone(d.Entries)
	fails := func(some []drivers.Entry) bool {
		trial := *d
		trial.Entries = some
		_, err := csource.Parse(ctx, u.Path, trial.Apply(u), opts)
		return err != nil
	}
	for len(list) > 1 && ctx.Err() == nil {
		half := list[:len(list)/2]
		switch {
		case fails(half):
			list = half
		case fails(list[len(list)/2:]):
			list = list[len(list)/2:]
		default:
			return numbers(list)
		}
	}
	return numbers(list)
}

func numbers(entries []drivers.Entry) (out []int) {
	for _, e := range entries {
		out = append(out, e.Number)
	}
	return out
}

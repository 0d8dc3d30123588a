package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"klabel/csource"
	"klabel/engine"
	"klabel/engine/native"
	"klabel/instrument"
	"klabel/label"
	"klabel/linkage"
	"klabel/prune"
	"klabel/store"
	"klabel/toolchain"
)

// Explorer is the native engine as a prover for package prune: it explores a
// labelled unit in greybox mode until the context ends. clang is nil: there is
// no such prover.
func Explorer(clang *toolchain.Clang) prune.Explore {
	if clang == nil {
		return nil
	}
	return func(ctx context.Context, u *csource.Unit, dir string) (x prune.Exploration, err error) {
		calls, err := u.Labels()
		if err != nil {
			return x, err
		}
		var ls []label.Label
		var maxID label.ID
		for _, c := range calls {
			ls = append(ls, c.Label())
			maxID = max(maxID, c.ID)
		}
		// The engine needs a live view to know which labels there are.
		st, err := store.Open(dir, store.Options{Fresh: true})
		if err != nil {
			return x, err
		}
		defer st.Close()
		if err := st.SetLabels(ls); err != nil {
			return x, err
		}
		text, err := instrument.Rewrite(u, instrument.Options{Mode: engine.Greybox, MaxID: maxID})
		if err != nil {
			return x, err
		}
		c, ll := filepath.Join(dir, "greybox.c"), filepath.Join(dir, "greybox.ll")
		if err := os.WriteFile(c, append([]byte(linkage.OwnLibrary(u)), text...), 0o666); err != nil {
			return x, err
		}
		if err := clang.IR(ctx, c, ll, u.Flags.Language()); err != nil {
			return x, err
		}
		o := engine.Options{Mode: engine.Greybox, OutputDir: filepath.Join(dir, "out"), LiveView: st.ViewPath()}
		if d, ok := ctx.Deadline(); ok {
			o.Budget = time.Until(d)
		}
		e := native.New(clang)
		defer e.Close()
		run, err := e.Start(ctx, engine.Program{Files: []string{ll}}, o)
		if err != nil {
			return x, err
		}
		stats, err := run.Wait()
		if err != nil {
			return x, fmt.Errorf("native engine: %w", err)
		}
		return prune.Exploration{Complete: stats.Complete, Infeasible: stats.Infeasible,
			Note: strings.Join(stats.Notes, "; ")}, nil
	}
}

package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"klabel/annotate"
	"klabel/disk"
	"klabel/fault"
	"klabel/label"
	"klabel/store"
	"klabel/toolchain"
)

// projectTests is the Engine of the test that a project's own test command is.
const projectTests = "project's tests"

// runExisting runs the project's own test command in a copy of the project whose
// labels record that they are hit, and stores what they are as covered by one
// test: the command. It is the user's, and trusted: it has their environment,
// and its time is not the budget's. It counts when it ends with 0; with what
// processes of it that a test has made fail hit before.
func (c *session) runExisting(ctx context.Context, command string) error {
	if command == "" {
		return nil
	}
	c.obs.Stage("running the project's tests")
	began := time.Now()
	defer func() { c.beginsAt(c.began.Add(time.Since(began))) }()
	root, here, err := c.projectRoot()
	if err != nil {
		return err
	}
	dst, err := filepath.Abs(c.layout.work("project"))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dst); err != nil {
		return describe(err)
	}
	if err := annotate.CopyTree(root, dst, madeByTools); err != nil {
		return fmt.Errorf("%s cannot be copied: %w", root, describe(err))
	}
	recorded, err := c.collectIn(ctx, root, dst)
	if err != nil {
		return err
	}
	place := filepath.Join(dst, here)
	res, err := toolchain.Run(ctx, toolchain.Command{Argv: []string{"sh", "-c", command}, Dir: place, Guard: true,
		Env: disk.UserEnvironment()})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var failed *toolchain.ToolError
		if !errors.As(err, &failed) || failed.ExitCode < 0 {
			return err
		}
		why := toolchain.TellingLine(string(res.Stderr))
		if why == "" {
			why = toolchain.TellingLine(string(res.Stdout))
		}
		err = fmt.Errorf("'%s' ends with %d in the labelled copy, so that nothing counts: %s",
			command, res.ExitCode, why)
		return fault.WithHint(err, "does it succeed in a fresh copy of the project, compile with the -D that klabel "+
			"was given, and with clang, if sources ask for their compiler? The labelled copy is %s", place)
	}
	hits, err := readHits(recorded)
	if err != nil {
		return err
	}
	if len(hits) == 0 {
		c.note(fmt.Sprintf("'%s' hits no label: does it build the labelled sources, in the folder that it is run in?",
			command))
	}
	if err := os.RemoveAll(dst); err != nil {
		return describe(err)
	}
	return c.recordExisting(command, hits)
}

// ownAlone counts the labels that the user's own tests cover, and no other test.
func ownAlone(snap *store.Snapshot) (n int) {
	own, watched := map[label.ID]bool{}, map[label.ID]bool{}
	for _, t := range snap.Tests {
		if t.Dropped || t.Verdict.Outcome != label.Normal {
			continue
		}
		by := watched
		if t.Engine == projectTests || t.Engine == testsInC {
			by = own
		}
		for _, id := range t.Verdict.Hits {
			by[id] = true
		}
	}
	for _, l := range snap.Labels {
		if l.Status == label.Covered && own[l.ID] && !watched[l.ID] {
			n++
		}
	}
	return n
}

// recordExisting stores what the command covers, in place of what it covered
// when it was run before.
func (c *session) recordExisting(command string, hits []label.ID) error {
	sum := sha256.Sum256([]byte(command))
	hash := hex.EncodeToString(sum[:])
	r := store.TestResult{
		Name: "existing tests (" + command + ")", Hash: hash, Engine: projectTests, At: time.Now(), Anew: true,
		File: c.layout.work("existing-" + hash[:8] + ".txt"), Data: []byte(command + "\n"),
		Verdict: label.Verdict{Outcome: label.Normal, Hits: hits},
	}
	if _, err := c.st.Record(r); err != nil {
		return err
	}
	c.obs.Note(fmt.Sprintf("the project's own tests cover %d of %d labels", len(hits), len(c.prog.labels)))
	return describe(disk.Write(r.File, r.Data))
}

// projectRoot is the folder to copy: the working directory where it holds all
// sources, else the deepest one that does; and where in it the command runs.
func (c *session) projectRoot() (root, here string, err error) {
	root, err = os.Getwd()
	if err != nil {
		return "", "", describe(err)
	}
	wd := root
	for _, s := range c.prog.sources {
		path, err := filepath.Abs(s.Path)
		if err != nil {
			return "", "", err
		}
		for !inside(root, path) {
			root = filepath.Dir(root)
		}
	}
	if root == filepath.Dir(root) {
		return "", "", fault.Usagef("--existing-run: working directory and sources have no folder in common to copy")
	}
	here, err = filepath.Rel(root, wd)
	return root, here, err
}

func inside(dir, path string) bool {
	r, err := filepath.Rel(dir, path)
	return err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator))
}

// madeByTools names what a copy must not have: what CMake remembers of the
// place that it was made in, and output directories of klabel.
func madeByTools(path string, d fs.DirEntry) bool {
	if d.IsDir() {
		return d.Name() == "CMakeFiles" || exists(filepath.Join(path, "klabel.db"))
	}
	return d.Name() == "CMakeCache.txt"
}

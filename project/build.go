package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"klabel/disk"
	"klabel/fault"
)

// Build is what a project's own build says of its C files. The build is asked, never
// run: CMake, Meson and configure work in a folder of klabel's own, and what make
// would do is read from make -n. The user's tree cannot be written meanwhile.
type Build struct {
	Way      string   // one of Ways
	Said     string   // where the commands are from, for people
	Database string   // a compile_commands.json of klabel's own
	Headers  []string // of "folder": those that hold headers, relative to the root
	Passed   []string // ways that were tried before, and why they lead to nothing
}

// Ways are how the commands of a project can be found out, in the order in which
// they are tried.
var Ways = []string{"cmake", "meson", "make", "configure", "folder"}

// ways says for each what has to be there, and what asks it.
var ways = map[string]struct {
	there func(root string) string // the file that shows it; "" if it is not this one
	ask   func(ctx context.Context, root, work string) ([]command, error)
	how   string
}{
	"cmake":     {has("CMakeLists.txt"), askCMake, "cmake"},
	"meson":     {has("meson.build"), askMeson, "meson"},
	"make":      {makefile, askMake, "make -n"},
	"configure": {has("configure"), askConfigure, "configure and make -n"},
	"folder":    {func(string) string { return "no build that klabel can ask" }, askFolder, ""},
}

// command is an entry of a compilation database.
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

// Time limits of what is asked.
const (
	configureTime = 3 * time.Minute
	makeTime      = time.Minute
)

// ErrNoBuild says that there is nothing to find out commands from.
var ErrNoBuild = errors.New("no build and no C files")

// AskBuild finds out how the C files of a folder are compiled: in one way, or, where
// that is "", in the first that leads to something.
func AskBuild(ctx context.Context, root, way string) (b Build, err error) {
	if root, err = filepath.Abs(root); err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return b, err
	}
	list := Ways
	if way != "" {
		if list = []string{way}; !slices.Contains(Ways, way) {
			return b, fault.Usagef("--build %q: want %s", way, strings.Join(Ways, ", "))
		}
	}
	for _, b.Way = range list {
		w := ways[b.Way]
		file := w.there(root)
		if file == "" {
			if way != "" {
				return b, fault.Usagef("--build %s: there is nothing for it in %s", way, root)
			}
			continue
		}
		var work string
		if work, err = ownFolder(root, b.Way); err != nil {
			return b, err
		}
		var unlock func()
		if unlock, err = lock(work); err != nil {
			return b, err
		}
		defer unlock()
		var found []command
		if found, err = w.ask(ctx, root, work); ctx.Err() != nil {
			return b, ctx.Err()
		}
		if err == nil {
			found = slices.DeleteFunc(found, func(c command) bool {
				return filepath.Ext(c.File) != ".c" && (b.Way != "folder" || !isHeader(c.File))
			})
			others := func(c command) bool { return !Aside(root, c.File) }
			switch {
			case len(found) == 0:
				err = errors.New("it compiles no C file")
			case way == "" && !slices.ContainsFunc(found, others):
				err = errors.New("it compiles tests and examples alone")
			}
		}
		if err != nil && (way != "" || b.Way == "folder") {
			return b, err
		}
		if err != nil {
			b.Passed = append(b.Passed, fmt.Sprintf("%s is not used: %v", file, err))
			continue
		}
		b.Said = fmt.Sprintf("%s (%s)", file, w.how)
		if b.Way == "folder" {
			b.Headers, b.Said = assumed(found)
		}
		b.Database = filepath.Join(work, DatabaseName)
		var text []byte
		if text, err = json.MarshalIndent(found, "", " "); err == nil {
			err = disk.Write(b.Database, append(text, '\n'))
		}
		return b, err
	}
	return b, ErrNoBuild
}

// roomOfBuilds is what a build in klabel's folder may need at least.
const roomOfBuilds = 1 << 20

// ownFolder is klabel's for what a way of a project needs. What a build generates
// there, headers say, stays.
func ownFolder(root, way string) (string, error) {
	name := regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(filepath.Base(root), "-")
	name = fmt.Sprintf("%s-%x", name, sum(root))
	dir, err := disk.Cache("builds", name, way)
	if err == nil {
		if err = os.MkdirAll(dir, 0o777); err == nil {
			err = disk.Needs(dir, roomOfBuilds)
		}
		if err == nil {
			return dir, nil
		}
		disk.WithoutCache(err)
	}
	dir = filepath.Join(os.TempDir(), "klabel-builds", name, way)
	return dir, os.MkdirAll(dir, 0o777)
}

// lock keeps other klabels out of the folder.
func lock(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	return func() { f.Close() }, err
}

// has looks for a file at the top of the project.
func has(name string) func(string) string {
	return func(root string) string {
		if fi, err := os.Stat(filepath.Join(root, name)); err != nil || fi.IsDir() {
			return ""
		}
		return name
	}
}

// makefile is what make reads, unless configure has yet to write it: some projects
// ship one that only says so.
func makefile(root string) string {
	if has("configure")(root) != "" && has("config.status")(root) == "" {
		return ""
	}
	return anyMakefile(root)
}

func anyMakefile(root string) string {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		if has(name)(root) != "" {
			return name
		}
	}
	return ""
}

package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
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
			found = slices.DeleteFunc(found, func(c command) bool { return filepath.Ext(c.File) != ".c" })
			if len(found) == 0 {
				err = errors.New("it compiles no C file")
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

func askCMake(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	if err := run(ctx, root, work, configureTime, nil, "cmake", "-S", root, "-B", dir,
		"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"); err != nil {
		return nil, err
	}
	return readCommands(filepath.Join(dir, DatabaseName))
}

func askMeson(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	argv := []string{"meson", "setup", dir, root}
	if !Missing(filepath.Join(dir, "build.ninja")) {
		argv = append(argv, "--reconfigure")
	}
	if err := run(ctx, root, work, configureTime, nil, argv...); err != nil {
		return nil, err
	}
	return readCommands(filepath.Join(dir, DatabaseName))
}

// askConfigure lets configure work in klabel's folder: builds outside of the
// sources are what it is made for.
func askConfigure(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if anyMakefile(dir) == "" {
		script := fmt.Sprintf("cd '%s' && '%s'", quoted(dir), quoted(filepath.Join(root, "configure")))
		if err := run(ctx, root, work, configureTime, nil, "sh", "-c", script); err != nil {
			return nil, err
		}
	}
	return askMakeIn(ctx, root, work, dir, "-nwk")
}

func askMake(ctx context.Context, root, work string) ([]command, error) {
	// All is asked for, as if nothing were made; what configure has written is.
	all := []string{"-nwkB"}
	for _, made := range []string{"Makefile", "Makefile.in", "config.status", "configure", "aclocal.m4", "config.h",
		"config.h.in", "stamp-h1"} {
		all = append(all, "-o", made)
	}
	found, err := askMakeIn(ctx, root, work, root, all...)
	if len(found) == 0 {
		return askMakeIn(ctx, root, work, root, "-nwk")
	}
	return found, err
}

// askMakeIn reads what make would do. That it fails in the end is no matter, if it
// says something: what it would have made for the rest is not there.
func askMakeIn(ctx context.Context, root, work, dir string, how ...string) ([]command, error) {
	var out strings.Builder
	err := run(ctx, root, work, makeTime, &out, append([]string{"make", "-C", dir}, how...)...)
	found := commandsOf(out.String(), dir)
	if len(found) == 0 && err == nil {
		err = errors.New("make -n names no compiler that is given a C file")
	}
	if len(found) > 0 {
		err = nil
	}
	return found, err
}

func quoted(path string) string { return strings.ReplaceAll(path, "'", `'\''`) }

// run runs a tool of the build, which reads the project and writes klabel's folder
// alone.
func run(ctx context.Context, root, work string, limit time.Duration, out *strings.Builder, argv ...string) error {
	path, err := toolchain.OnPath(argv[0])
	if err != nil {
		return err
	}
	argv[0] = path
	env := slices.DeleteFunc(disk.UserEnvironment(), func(v string) bool {
		return strings.HasPrefix(v, "TMPDIR=") || strings.HasPrefix(v, "LC_ALL=") || strings.HasPrefix(v, "MAKE") ||
			strings.HasPrefix(v, "MFLAGS=")
	})
	c := toolchain.Command{Argv: argv, Dir: work, Timeout: limit, Env: append(env, "LC_ALL=C"),
		Confine: &toolchain.Confinement{Writable: []string{work}, Readable: []string{root}, ScratchMB: 512,
			Family: true}}
	if out != nil {
		c.Stdout = out
	}
	res, err := toolchain.Run(ctx, c)
	var failed *toolchain.ToolError
	if !errors.As(err, &failed) {
		return err
	}
	name := filepath.Base(path)
	if errors.Is(err, toolchain.ErrTimeout) {
		return fmt.Errorf("%s takes longer than %v", name, limit)
	}
	why := cmakeError(string(res.Stderr))
	for _, text := range [][]byte{res.Stderr, res.Stdout} {
		if why == "" {
			why = toolchain.TellingLine(string(text))
		}
	}
	return fmt.Errorf("%s ends with %d: %s", name, failed.ExitCode, why)
}

// cmakeError is CMake's first error: what it says stands below where.
func cmakeError(text string) string {
	_, rest, found := strings.Cut(text, "CMake Error")
	_, rest, _ = strings.Cut(rest, "\n")
	line, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if !found {
		return ""
	}
	return strings.TrimSpace(line)
}

// readCommands reads a database that a build system has written.
func readCommands(path string) ([]command, error) {
	b, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	var entries []struct {
		command
		Command string `json:"command"`
	}
	if err := json.Unmarshal(b, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []command
	for _, e := range entries {
		if len(e.Arguments) == 0 {
			if e.Arguments, err = toolchain.Words(e.Command); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		if !filepath.IsAbs(e.File) {
			e.File = filepath.Join(e.Directory, e.File)
		}
		out = append(out, e.command)
	}
	return out, nil
}

// mostFiles bounds what is taken of a folder without a build: it may be anybody's
// home.
const mostFiles = 2000

// askFolder takes every C file below a folder, but for tests and examples, and every
// folder with headers for one to search.
func askFolder(_ context.Context, root, _ string) (out []command, err error) {
	var files, headers []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not meant
		case d.IsDir():
			if path != root && (strings.HasPrefix(d.Name(), ".") || Aside(root, filepath.Join(path, "x.c")) ||
				!Missing(filepath.Join(path, "klabel.db"))) {
				return fs.SkipDir
			}
		case !d.Type().IsRegular() || Aside(root, path):
		case strings.HasSuffix(path, ".c"):
			files = append(files, path)
		case strings.HasSuffix(path, ".h"):
			if dir := filepath.Dir(path); !slices.Contains(headers, dir) {
				headers = append(headers, dir)
			}
		}
		if len(files) > mostFiles {
			return fmt.Errorf("more than %d C files are below %s", mostFiles, root)
		}
		return nil
	})
	for _, f := range files {
		c := command{Directory: root, File: f, Arguments: []string{"cc"}}
		for _, dir := range headers {
			if rel, err := filepath.Rel(root, dir); err == nil {
				dir = rel
			}
			c.Arguments = append(c.Arguments, "-I"+dir)
		}
		c.Arguments = append(c.Arguments, "-c", f)
		out = append(out, c)
	}
	if err == nil && len(out) == 0 {
		err = ErrNoBuild
	}
	return out, err
}

// assumed are the folders of headers of a folder without a build, and what was made
// up for it in words.
func assumed(found []command) (headers []string, said string) {
	for _, a := range found[0].Arguments {
		if dir, ok := strings.CutPrefix(a, "-I"); ok {
			headers = append(headers, dir)
		}
	}
	said = "no build that klabel can ask: every C file here"
	switch n := len(headers); {
	case n > 4:
		said += fmt.Sprintf(", with -I%s and %d more folders of headers", strings.Join(headers[:3], " -I"), n-3)
	case n > 0:
		said += ", with -I" + strings.Join(headers, " -I")
	}
	return headers, said
}

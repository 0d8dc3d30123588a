package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/csource"
	"klabel/fault"
	"klabel/project"
	"klabel/toolchain"
)

// sourceFlags say which C is meant and how it is compiled. Several commands
// share them.
type sourceFlags struct {
	includes    []string
	defines     []string
	std         string
	cflags      []string
	compileDB   string
	build       string
	labelMacros []string
	hyper       []string
	clang, klee string

	root    string // the folder that was named in place of files; "" for this one
	found   bool   // klabel looked for the files itself
	asked   project.Build
	aside   int // files of it that are tests or examples
	missing int // files of it that are not here
	framaC  string
}

func (f *sourceFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.includes, "include-dir", "I", nil, "search this `dir` for headers (repeatable)")
	fs.StringArrayVarP(&f.defines, "define", "D", nil, "define this macro, `NAME[=VALUE]` (repeatable)")
	fs.StringVar(&f.std, "std", "", "C `standard`, as clang's -std")
	fs.StringArrayVar(&f.cflags, "cflag", nil, "pass this `flag` to clang (repeatable)")
	fs.StringVar(&f.compileDB, "compile-commands", "", "take files and flags from this compile_commands.json `file`")
	fs.StringVar(&f.build, "build", "", "ask the project's own `build` for files and flags: "+
		strings.Join(project.Ways, ", ")+" (default: what is here, where no C file is named)")
	fs.StringArrayVar(&f.labelMacros, "label-macro", nil,
		"`name` of a further label macro, beside cov_label and pc_label")
	fs.StringArrayVar(&f.hyper, "hyperlabels", nil,
		"`file` of hyperlabels over the labels of the sources, beside f.hyperlabels that stands by f.c (repeatable)")
	fs.StringVar(&f.clang, "clang", "", "use this clang (default: $CLANG, then PATH)")
	fs.StringVar(&f.klee, "klee", "", "use this KLEE (default: $KLABEL_KLEE, then PATH)")
	fs.StringVar(&f.framaC, "frama-c", "", "use this Frama-C (default: PATH)")
}

// flags are the compiler flags for every source. -std given here or among
// --cflag keeps its effect for one run of clang after another.
func (f *sourceFlags) flags() []string {
	var out []string
	for _, d := range f.includes {
		out = append(out, "-I"+d)
	}
	for _, d := range f.defines {
		out = append(out, "-D"+d)
	}
	if f.std != "" {
		out = append(out, "-std="+f.std)
	}
	return append(out, f.cflags...)
}

var macroDefinition = regexp.MustCompile(`(?s)^[\pL_$][\pL\pN_$]*(\([^)]*\))?(=.*)?$`)

// check refuses definitions that clang would not take, or would take for
// something else: with "A B" it defines A.
func (f *sourceFlags) check() error {
	for _, d := range f.defines {
		if !macroDefinition.MatchString(d) {
			return usageError(fmt.Errorf("--define %q: want NAME or NAME=VALUE", d))
		}
	}
	return nil
}

func (f *sourceFlags) want(all bool) toolchain.Want {
	return toolchain.Want{Clang: f.clang, KLEE: f.klee, FramaC: f.framaC, All: all}
}

// sources joins the files of the command line with the compilation database:
// files that are named take their flags from it; without any, it gives all.
func (f *sourceFlags) sources(args []string) ([]campaign.Source, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	for _, a := range args {
		if ext := filepath.Ext(a); ext == ".o" || ext == ".a" || ext == ".so" {
			return nil, fault.WithHint(fault.Usagef("%s is compiled: klabel reads C, and bitcode", a),
				"name the C files, a compile_commands.json ('bear -- make' writes one), or the program's bitcode "+
					"('klabel help bitcode')")
		}
	}
	var out []campaign.Source
	if f.compileDB == "" {
		for _, a := range args {
			out = append(out, campaign.Source{Path: a, Flags: project.Implementation(a)})
		}
		return out, nil
	}
	db, err := csource.ReadCompileCommands(f.compileDB)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return f.all(db)
	}
	byPath := map[string]csource.CompileCommand{}
	for _, c := range db {
		byPath[abs(c.File)] = c
	}
	for _, a := range args {
		c, ok := byPath[abs(a)]
		if !ok {
			return nil, usageError(fmt.Errorf("%s is not in %s", a, f.from()))
		}
		if !filepath.IsAbs(a) {
			c = c.From(abs("."))
		}
		out = append(out, campaign.Source{Path: a, Flags: c.Flags})
	}
	return out, nil
}

// look finds out where files and flags are from, if nobody has said so: from a
// compilation database here or below, else from the build: of the project file's
// folder, if that names it.
func (f *sourceFlags) look(cmd *cobra.Command, p *project.Project, named bool) error {
	if f.compileDB != "" && f.build != "" {
		return usageError(errors.New("--build and --compile-commands exclude each other"))
	}
	if f.compileDB != "" || named && f.build == "" {
		return nil
	}
	f.found = !named
	if f.build == "" {
		if f.compileDB = project.FindDatabase(f.folder()); f.compileDB != "" {
			return nil
		}
	}
	root := f.folder()
	if p != nil && p.Build != nil && f.build == *p.Build {
		root = filepath.Dir(p.Path)
	}
	b, err := project.AskBuild(cmd.Context(), root, f.build)
	for _, p := range b.Passed {
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel:", p)
	}
	if errors.Is(err, project.ErrNoBuild) && f.build == "" {
		where, hint := "here", "name C files, or the project's folder"
		if f.root != "" {
			where, hint = "in "+f.root, "name C files, or another folder"
		}
		return fault.WithHint(fault.Usagef("%s: want a C file: no %s, no %s, no build and no C file %s", cmd.Name(),
			project.FileName, project.DatabaseName, where), "%s", hint)
	}
	f.asked, f.compileDB = b, b.Database
	return err
}

// take notes the folder that a command line names in place of files, and returns the
// files that it names.
func (f *sourceFlags) take(args []string) []string {
	if len(args) != 1 {
		return args
	}
	if st, err := os.Stat(args[0]); err != nil || !st.IsDir() {
		return args
	}
	f.root = args[0]
	return nil
}

// folder is that of the project where no file is named.
func (f *sourceFlags) folder() string {
	if f.root == "" {
		return "."
	}
	return f.root
}

// from is where files and flags are from, in words.
func (f *sourceFlags) from() string {
	if f.asked.Said != "" {
		return f.asked.Said
	}
	return f.compileDB
}

// all takes every file of a compilation database that is here, but for tests and
// examples when klabel found the database by itself.
func (f *sourceFlags) all(db []csource.CompileCommand) (out []campaign.Source, err error) {
	var gone []string
	here, root := abs("."), abs(f.folder())
	if real, err := filepath.EvalSymlinks(root); err == nil && f.root != "" {
		root = real
	}
	for _, c := range db {
		switch {
		case project.Missing(c.File):
			gone = append(gone, c.File)
		case f.found && project.Aside(root, c.File):
			f.aside++
		default:
			c = c.From(here)
			out = append(out, campaign.Source{Path: c.File, Flags: c.Flags})
		}
	}
	switch {
	case len(db) == 0:
		return nil, fault.Usagef("%s names no C file", f.from())
	case len(gone) == len(db):
		return nil, fault.WithHint(fault.Usagef("%s: none of its %d files is here, the first is %s", f.from(),
			len(db), gone[0]),
			"it was made on another machine or in another folder: make it anew, or name C files; in a container, "+
				"mount the project at the path that it has there")
	case len(out) == 0:
		return nil, fault.Usagef("%s has tests and examples alone: name the C files that you mean", f.from())
	}
	f.missing = len(gone)
	return out, nil
}

// taken says what of a database is meant.
func (f *sourceFlags) taken(n int) string {
	text := fmt.Sprintf("%d C files", n)
	if f.aside > 0 {
		text += fmt.Sprintf(", without %d of tests and examples", f.aside)
	}
	if f.missing > 0 {
		text += fmt.Sprintf(", without %d that are not here", f.missing)
	}
	return text
}

func abs(path string) string {
	if p, err := filepath.Abs(path); err == nil {
		return p
	}
	return path
}

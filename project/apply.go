package project

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"klabel/toolchain"
)

// relocate makes the paths of the file relative to the working directory.
func (p *Project) relocate() error {
	dir := filepath.Dir(p.Path)
	move := func(s string) string {
		if s == "" || filepath.IsAbs(s) {
			return s
		}
		return filepath.Join(dir, s)
	}
	var files []string
	for _, f := range p.Files {
		if !strings.ContainsAny(f, "*?[{") {
			files = append(files, move(f))
			continue
		}
		found, err := doublestar.FilepathGlob(move(f), doublestar.WithFilesOnly())
		if err != nil || len(found) == 0 {
			line := p.line("", "files")
			return &Error{p.Path, line, 1, fmt.Sprintf("files: no file matches %q", f)}
		}
		files = append(files, found...)
	}
	p.Files = files
	for i := range p.IncludeDir {
		p.IncludeDir[i] = move(p.IncludeDir[i])
	}
	for _, s := range []*string{p.CompileCommands, p.Property, p.Output, p.Patch} {
		if s != nil {
			*s = move(*s)
		}
	}
	for _, s := range []*string{p.Clang, p.KLEE, p.FramaC} {
		if s != nil && strings.ContainsRune(*s, filepath.Separator) { // else a name for PATH
			*s = move(*s)
		}
	}
	p.CFlag = toolchain.Flags(p.CFlag).In(dir)
	for i := range p.Existing {
		p.Existing[i] = move(p.Existing[i])
	}
	for i := range p.Inputs.StubFile {
		p.Inputs.StubFile[i] = move(p.Inputs.StubFile[i])
	}
	for _, own := range p.For {
		for i := range own.StubFile {
			own.StubFile[i] = move(own.StubFile[i])
		}
	}
	return nil
}

// Changed lists the flags that the command line has set.
func Changed(flags *pflag.FlagSet) map[string]bool {
	out := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { out[f.Name] = true })
	return out
}

// Apply gives flags the values of the file, except those that the command line
// has set and those in but. For a function its own table counts before
// [inputs]; lists of both are joined. Keys that the command has no flag for are
// left out: not every command takes all of them.
func (p *Project) Apply(flags *pflag.FlagSet, function string, but ...string) error {
	changed := Changed(flags)
	for _, name := range but {
		changed[name] = true
	}
	if i := strings.LastIndexByte(function, ':'); i >= 0 {
		function = function[i+1:]
	}
	set := func(table string, v reflect.Value, skip func(key string) bool) error {
		for i := range v.NumField() {
			key := v.Type().Field(i).Tag.Get("toml")
			name := flagName(key)
			void := key == "" || changed[name] || flags.Lookup(name) == nil || skip(key)
			for _, r := range rivals[key] {
				void = void || changed[r]
			}
			if void {
				continue
			}
			for _, value := range texts(v.Field(i)) {
				if err := flags.Set(name, value); err != nil {
					return &Error{p.Path, p.line(table, key), 1, fmt.Sprintf("%s = %q is no value for it: %s", key,
						value, cause(err))}
				}
			}
		}
		return nil
	}
	own, ok := p.For[function]
	ov := reflect.ValueOf(own)
	isOwn := func(key string) bool { // single values and criteria are replaced, not joined
		f, found := fieldOf(ov, key)
		return ok && found && !f.IsNil() && (f.Kind() == reflect.Pointer || key == "criteria")
	}
	if err := set("", reflect.ValueOf(p.settings), isOwn); err != nil {
		return err
	}
	if err := set("inputs", reflect.ValueOf(p.Inputs), isOwn); err != nil {
		return err
	}
	if !ok {
		return nil
	}
	none := func(string) bool { return false }
	if err := set("for."+function, reflect.ValueOf(own.inputs), none); err != nil {
		return err
	}
	return set("for."+function, ov, none)
}

func cause(err error) string {
	s := err.Error()
	if i := strings.Index(s, " flag: "); i >= 0 {
		return s[i+len(" flag: "):]
	}
	return s
}

// fieldOf finds the value of a key, in embedded tables too.
func fieldOf(v reflect.Value, key string) (reflect.Value, bool) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			if x, ok := fieldOf(v.Field(i), key); ok {
				return x, true
			}
		} else if f.Tag.Get("toml") == key {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// line finds where a key stands: 0 when its way of writing is too unusual.
func (p *Project) line(table, key string) int {
	at := ""
	for i, l := range strings.Split(string(p.text), "\n") {
		l = strings.TrimSpace(l)
		if name, ok := strings.CutPrefix(l, "["); ok && !strings.Contains(l, "=") {
			name, _, _ = strings.Cut(name, "]")
			at = strings.ReplaceAll(strings.TrimSpace(name), "\"", "")
			continue
		}
		if name, _, ok := strings.Cut(l, "="); ok && at == table &&
			strings.Trim(strings.TrimSpace(name), "\"'") == key {
			return i + 1
		}
	}
	return 0
}

// texts are the values of a key as a flag takes them.
func texts(v reflect.Value) (out []string) {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case v.Kind() == reflect.Pointer:
		return []string{fmt.Sprint(v.Elem().Interface())}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			out = append(out, fmt.Sprint(v.Index(i).Interface()))
		}
	}
	return out
}

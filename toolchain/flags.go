package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"klabel/disk"
)

// Flags are options of a C compiler, word by word, as a user or a compilation
// database gives them: with values in words of their own, response files (@FILE)
// and options of compilers other than clang among them. Each use takes the part
// that counts for it; table in options.go is the one place that says which option
// counts where. An option that is not in the table is passed on as it is, and
// clang says what is wrong with it.
type Flags []string

// Compile is what counts for C as it was written: macros, headers, the language
// and the target.
func (f Flags) Compile() Flags { return f.of(header | language | layout | machine | other) }

// Language is what counts for C that is preprocessed already: the language and
// the target.
func (f Flags) Language() Flags { return f.of(language | layout | machine | other) }

// Machine is what all parts of one program have to agree on: the target.
func (f Flags) Machine() Flags { return f.of(machine) }

// Link is what counts for linking: libraries and the target.
func (f Flags) Link() Flags { return f.of(link | machine) }

// Dialect returns the first option by which types or operations may be other
// than on the usual 64-bit target; "" where there is none. Tools that cannot be
// told of it must not judge the program.
func (f Flags) Dialect() string {
	for _, o := range f.options("") {
		if o.role&(layout|machine|other) != 0 && o.words[0] != "-m64" {
			return strings.Join(o.words, " ")
		}
	}
	return ""
}

// Meaning is Dialect of what is not the target: the first option by which the same
// code means something else on the same machine.
func (f Flags) Meaning() string {
	for _, o := range f.options("") {
		if o.role&(layout|other) != 0 && o.role&machine == 0 {
			return strings.Join(o.words, " ")
		}
	}
	return ""
}

// In returns the flags with relative paths taken from dir. A header of -include
// is left as it is where dir does not hold it: it is looked for like others.
func (f Flags) In(dir string) (out Flags) {
	for _, o := range f.options(dir) {
		out = append(out, o.in(dir)...)
	}
	return out
}

// WithPaths returns the flags with each path that is a value of theirs changed.
func (f Flags) WithPaths(change func(path string) string) (out Flags) {
	for _, o := range f.options("") {
		out = append(out, o.with(change)...)
	}
	return out
}

// FromCommand takes the flags out of a compiler's command line that was run in
// dir: what counts for compiling, and libraries. Unlike a user's own words, what
// klabel does not know is left out, for the command is another compiler's, and so is
// what makes clang run or load a file: a database may come with somebody's sources.
func FromCommand(argv []string, dir string) (out Flags) {
	if len(argv) == 0 {
		return nil
	}
	for _, o := range Flags(argv[1:]).options(dir) {
		if o.role&^other != 0 && o.name != "" && o.harmless() {
			out = append(out, o.in(dir)...)
		}
	}
	return out
}

func (f Flags) of(roles role) (out Flags) {
	for _, o := range f.options("") {
		if o.role&roles != 0 {
			out = append(out, o.words...)
		}
	}
	return out
}

// splitLibraries takes out what counts only after the files that need it:
// libraries and objects.
func splitLibraries(flags Flags) (own, libs []string) {
	for _, o := range flags.options("") {
		if o.role == link && (o.name == "" || o.name == "-l") {
			libs = append(libs, o.words...)
		} else {
			own = append(own, o.words...)
		}
	}
	return own, libs
}

// option is one option of a command line with its value.
type option struct {
	words []string // one, or two when the value is a word of its own
	name  string   // as in the table; "" of a file
	role  role
	path  bool
}

// options reads the words; dir is where response files are looked for.
func (f Flags) options(dir string) (out []option) {
	words := f.expanded(dir, 0)
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") || w == "-" {
			out = append(out, file(w))
			continue
		}
		if w == "-Xclang" && i+1 < len(words) {
			inner := Flags{words[i+1]}
			for i++; i+2 < len(words) && words[i+1] == "-Xclang"; i += 2 {
				inner = append(inner, words[i+2])
			}
			out = append(out, passed(inner)...)
			continue
		}
		r, name := find(w)
		o := option{words: []string{w}, name: name, role: r.role, path: r.path}
		if r.value == next || r.value == either && w == name {
			if i+1 == len(words) {
				break // without its value it means nothing
			}
			i++
			o.words = append(o.words, words[i])
		}
		switch {
		case name == "-fplan9-extensions":
			o.words = []string{"-fms-extensions"} // what clang has of it
		case name == "-Wp," && strings.Contains(w, ",-M"):
			o.role = none // dependency files
		}
		out = append(out, o)
	}
	return out
}

// file is a word that is no option: libraries and objects are linked.
func file(w string) option {
	o := option{words: []string{w}, path: true}
	switch ext := filepath.Ext(w); {
	case ext == ".a", ext == ".o", ext == ".so", strings.Contains(filepath.Base(w), ".so."):
		o.role = link
	case strings.HasPrefix(w, "@"):
		o.role = other // cannot be read: clang says so
	}
	return o
}

// passed are options that -Xclang hands to clang itself, each with -Xclang
// before every word of it.
func passed(inner Flags) (out []option) {
	for _, o := range inner.options("") {
		if o.name == "" || o.role == link {
			o.role = other // clang itself does not link: it means something else there
		}
		var words []string
		for _, w := range o.words {
			words = append(words, "-Xclang", w)
		}
		out = append(out, option{words: words, name: "-Xclang", role: o.role})
	}
	return out
}

// in returns the words with a relative path taken from dir.
func (o option) in(dir string) []string {
	return o.with(func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		whole := filepath.Join(dir, path)
		if o.name == "-include" || o.name == "-imacros" {
			if _, err := os.Stat(whole); err != nil {
				return path
			}
		}
		return whole
	})
}

func (o option) with(change func(path string) string) []string {
	if !o.path {
		return o.words
	}
	words := append([]string{}, o.words...)
	last := len(words) - 1
	path := strings.TrimPrefix(words[last], o.name)
	words[last] = strings.TrimSuffix(words[last], path) + change(path)
	return words
}

// maxNested bounds response files that name themselves.
const maxNested = 10

// expanded puts the words of response files in their place. One that cannot be
// read stays, as compilers have it.
func (f Flags) expanded(dir string, depth int) (out Flags) {
	for _, w := range f {
		if name, ok := strings.CutPrefix(w, "@"); ok && depth < maxNested {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if text, err := disk.Read(name); err == nil {
				if words, err := Words(string(text)); err == nil {
					out = append(out, Flags(words).expanded(dir, depth+1)...)
					continue
				}
			}
		}
		out = append(out, w)
	}
	return out
}

// Words cuts a command into words, with quotes and backslashes as shells,
// compilation databases and response files use them.
func Words(s string) ([]string, error) {
	var out []string
	var word []byte
	in, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			} else {
				word = append(word, c)
			}
		case c == '\\' && i+1 < len(s):
			if i++; quote == '"' && s[i] != '"' && s[i] != '\\' && s[i] != '$' && s[i] != '`' {
				word = append(word, '\\')
			}
			word, in = append(word, s[i]), true
		case quote == '"' && c == '"':
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			if in {
				out, word, in = append(out, string(word)), word[:0], false
			}
		default:
			word, in = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed in %q", quote, s)
	}
	if in {
		out = append(out, string(word))
	}
	return out, nil
}

package annotate

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"klabel/csource"
	"klabel/disk"
	"klabel/fault"
	"klabel/label"
)

// labelsName is the label file of a job with several files.
const labelsName = "klabel.labels"

// sources lists the files of a job with their flags.
func (j *Job) sources() ([]*source, error) {
	var out []*source
	if j.Database == "" {
		for _, f := range j.Files {
			out = append(out, &source{path: f, flags: j.Flags})
		}
	} else {
		cmds, err := csource.ReadCompileCommands(j.Database)
		if err != nil {
			return nil, err
		}
		for _, c := range cmds {
			if len(j.Files) > 0 && !listed(j.Files, c.File) {
				continue
			}
			c = c.From(absolute("."))
			out = append(out, &source{path: c.File, flags: append(c.Flags[:len(c.Flags):len(c.Flags)], j.Flags...)})
		}
	}
	seen := map[string]bool{}
	var once []*source
	for _, s := range out {
		if key := absolute(s.path); !seen[key] {
			seen[key] = true
			once = append(once, s)
		}
	}
	if len(once) == 0 {
		return nil, fault.WithHint(fault.Usagef("no C file is given"), "klabel annotate FILE... --criteria CC")
	}
	return once, nil
}

func listed(files []string, path string) bool {
	for _, f := range files {
		if absolute(f) == absolute(path) {
			return true
		}
	}
	return false
}

func absolute(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// outputs decides where each labelled file goes.
func (j *Job) outputs(srcs []*source) error {
	if j.Copy != "" {
		return j.copyOutputs(srcs)
	}
	if j.Output == "-" {
		if len(srcs) > 1 {
			return fault.WithHint(fault.Usagef("several files do not fit on standard output"),
				"-o FOLDER, or --in-place-copy FOLDER")
		}
		return nil
	}
	if len(srcs) == 1 {
		s := srcs[0]
		s.out = j.Output
		if s.out == "" {
			s.out = strings.TrimSuffix(filepath.Base(s.path), ".c") + ".labelled.c"
		}
		if fi, err := os.Stat(s.out); err == nil && fi.IsDir() {
			s.out = filepath.Join(s.out, filepath.Base(s.path))
		}
		if absolute(s.out) == absolute(s.path) {
			return fault.WithHint(fault.Usagef("%s would be overwritten", s.path),
				"-o another file, or --in-place-copy FOLDER")
		}
		return nil
	}
	if j.Output == "" {
		return fault.WithHint(fault.Usagef("several files need a folder for the output"),
			"-o FOLDER, or --in-place-copy FOLDER")
	}
	if fi, err := os.Stat(j.Output); err == nil && !fi.IsDir() {
		return fault.WithHint(fault.Usagef("%s is a file, and several files need a folder for the output", j.Output),
			"-o FOLDER, or --in-place-copy FOLDER")
	}
	root := commonFolder(srcs)
	for _, s := range srcs {
		rel, err := filepath.Rel(root, absolute(s.path))
		if err != nil {
			return err
		}
		s.out = filepath.Join(j.Output, rel)
		if absolute(s.out) == absolute(s.path) {
			return fault.WithHint(fault.Usagef("%s would be overwritten", s.path),
				"-o another folder, or --in-place-copy FOLDER")
		}
	}
	return nil
}

// commonFolder is the deepest folder that holds all files.
func commonFolder(srcs []*source) string {
	root := filepath.Dir(absolute(srcs[0].path))
	for _, s := range srcs[1:] {
		for !within(root, absolute(s.path)) {
			root = filepath.Dir(root)
		}
	}
	return root
}

func within(dir, path string) bool {
	r, err := filepath.Rel(dir, path)
	return err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator))
}

// labelFile is where the .labels file goes.
func (j *Job) labelFile(srcs []*source) string {
	switch {
	case j.LabelFile != "":
		return j.LabelFile
	case j.Copy != "":
		return filepath.Join(j.Copy, labelsName)
	case len(srcs) > 1:
		return filepath.Join(j.Output, labelsName)
	case srcs[0].out == "":
		return ""
	}
	return strings.TrimSuffix(srcs[0].out, ".c") + ".labels"
}

func (j *Job) root(srcs []*source) string {
	if j.Root != "" {
		return absolute(j.Root)
	}
	root := commonFolder(srcs)
	if j.Database != "" {
		// The build files stand with the database, or above the sources.
		if dir := filepath.Dir(absolute(j.Database)); within(dir, root) {
			return dir
		}
	}
	if wd, err := os.Getwd(); err == nil && within(wd, root) {
		return wd
	}
	return root
}

func (j *Job) copyOutputs(srcs []*source) error {
	root := j.root(srcs)
	j.Root = root
	if absolute(j.Copy) == root || within(absolute(j.Copy), root) {
		return fault.WithHint(fault.Usagef("%s holds the project itself", j.Copy),
			"--in-place-copy wants a folder of its own")
	}
	for _, s := range srcs {
		if !within(root, absolute(s.path)) {
			return fault.WithHint(fault.Usagef("%s is not in %s", s.path, root),
				"--root names the folder that is copied")
		}
		rel, err := filepath.Rel(root, absolute(s.path))
		if err != nil {
			return err
		}
		s.out = filepath.Join(j.Copy, rel)
	}
	return nil
}

// CopyTree copies the folder root to dst, without version control, without the
// copy itself and without what leaveOut names. What a build made there before is
// left where it is.
func CopyTree(root, dst string, leaveOut func(path string, d fs.DirEntry) bool) error {
	root, dst = absolute(root), absolute(dst)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == dst {
			return filepath.SkipDir
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".hg" || d.Name() == ".svn") {
			return filepath.SkipDir
		}
		if leaveOut(path, d) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			os.Remove(to)
			return os.Symlink(link, to)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(path, to)
	})
}

func copyFile(from, to string) error {
	fi, err := os.Stat(from)
	if err != nil {
		return err
	}
	text, err := disk.Read(from)
	if err != nil {
		return err
	}
	if err := writeFile(to, text); err != nil {
		return err
	}
	if err := os.Chmod(to, fi.Mode().Perm()|0o200); err != nil {
		return err
	}
	// Build systems compare times: generated files must not look outdated.
	return os.Chtimes(to, fi.ModTime(), fi.ModTime())
}

// row is a label's line in the label file.
func row(l label.Label, s label.Status) label.Row {
	r := label.RowOf(l, s, "klabel")
	r.Tag = strings.Join(l.Tags, ",")
	return r
}

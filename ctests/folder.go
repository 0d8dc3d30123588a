package ctests

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/disk"
)

// folder is where tests are written: a file whose text is as it was is left
// alone, so that nothing is built again for it, and files of earlier tests go.
type folder struct {
	dir     string
	written []string
	late    map[string]string // by name, to be formatted before they are written
}

// put writes a file unless it is there with this text.
func (f *folder) put(name, text string) error {
	f.written = append(f.written, name)
	return put(filepath.Join(f.dir, filepath.FromSlash(name)), text)
}

// finish formats what has waited for it, writes it, and removes what earlier
// tests left. Formatting that fails leaves the text as klabel writes it; who formats
// says why.
func (f *folder) finish(format func(files []string) error) error {
	var failed error
	if format != nil {
		failed = f.format(format)
	}
	for name, text := range f.late {
		if err := f.put(name, text); err != nil {
			return err
		}
	}
	for _, pattern := range []string{"test_*.c", "with_stubs_*.c", RunnerFile, wrapperFile, optionsFile,
		programFile, "meson.build"} {
		old, err := filepath.Glob(filepath.Join(f.dir, pattern))
		if err != nil {
			return err
		}
		for _, path := range old {
			if !slices.Contains(f.written, filepath.Base(path)) {
				if err := os.Remove(path); err != nil {
					return fmt.Errorf("writing C tests: %w", err)
				}
			}
		}
	}
	return failed
}

// format gives C as the project's own formatter writes it.
func (f *folder) format(format func(files []string) error) error {
	dir, err := os.MkdirTemp("", "klabel-format-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var names, files []string
	for name, text := range f.late {
		if !strings.HasSuffix(name, ".c") && !strings.HasSuffix(name, ".cpp") {
			continue
		}
		names, files = append(names, name), append(files, filepath.Join(dir, name))
		_, body := opening(name, text)
		if err := put(files[len(files)-1], body); err != nil {
			return err
		}
	}
	if format(files) != nil {
		return nil
	}
	for i, name := range names {
		text, err := disk.Read(files[i])
		if err != nil {
			return err
		}
		head, _ := opening(name, f.late[name])
		f.late[name] = head + string(text)
	}
	return nil
}

// opening is the comment of a runner, which holds a command: it is not formatted.
func opening(name, text string) (head, rest string) {
	end := strings.Index(text, "*/\n")
	if name != RunnerFile || end < 0 {
		return "", text
	}
	end += len("*/\n")
	return text[:end], text[end:]
}

// put writes a file unless it is there with this text.
func put(path, text string) error {
	if old, err := disk.Read(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	if err := disk.Write(path, []byte(text)); err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	return nil
}

package docker

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const localBase = "klabel-smoke-base:test"

// makeBase imports an image from what is installed on this machine: the files
// of the Debian packages that clang needs, a Go, and KLEE with its libraries.
//
// To build klabel in an image costs two minutes of a processor, a quarter of all tests. So
// that Go hands out a klabel that the machine's own has built from the same sources; without
// -short it is the machine's Go. Where there are the packages, what goes wrong is a failure.
func makeBase(t *testing.T) (string, error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return "", errors.New("not a Linux machine")
	}
	packages, err := packageClosure()
	if err != nil {
		return "", err
	}
	files, err := packageFiles(packages)
	if err != nil {
		return "", err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	golang := strings.TrimSpace(string(goroot))
	if testing.Short() {
		golang = builtBefore(t)
	}
	kleePrefix, kleeFiles := klee(t)
	files = append(files, kleeFiles...)

	cmd := exec.CommandContext(t.Context(), "docker", "import", "-", localBase)
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	tree := &tree{w: tar.NewWriter(in), seen: map[string]bool{}}
	err = tree.write(files, golang, kleePrefix)
	if err = errors.Join(err, in.Close(), cmd.Wait()); err != nil {
		t.Fatalf("docker import: %v: %s", err, said.String())
	}
	t.Cleanup(func() { removeImage(localBase) })
	return localBase, nil
}

// builtBefore is a folder like a Go's, whose go command knows klabel's build alone: it puts
// a klabel that is there already where the build wants it.
func builtBefore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s", "-o", filepath.Join(dir, "bin", "klabel"),
		"./cmd/klabel")
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script := `#!/bin/sh
case "$*" in
version|"clean -cache") exit ;;
"build "*" -o /klabel.bin ./cmd/klabel") exec cp /usr/local/go/bin/klabel /klabel.bin ;;
esac
echo "go $*: not known here" >&2
exit 1
`
	if err := os.WriteFile(filepath.Join(dir, "bin", "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// wanted are the packages that the image is made of; the first one of each
// line that is installed counts.
var wanted = [][]string{
	{"clang-14", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-13"},
	{"libc6-dev"}, {"base-files"}, {"base-passwd"}, {"coreutils"}, {"dash"}, {"grep"}, {"sed"}, {"libc-bin"},
}

var packageName = regexp.MustCompile(`^[^ :(]+`)

func packageClosure() ([]string, error) {
	out, err := exec.Command("dpkg-query", "-W", "-f", "${Package}\t${db:Status-Status}\t${Depends}, "+
		"${Pre-Depends}\t${Provides}\n").Output()
	if err != nil {
		return nil, fmt.Errorf("not a Debian machine: %w", err)
	}
	depends, provides := map[string][]string{}, map[string]string{}
	names := func(list string) (out []string) {
		for _, n := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '|' }) {
			if n = packageName.FindString(strings.TrimSpace(n)); n != "" {
				out = append(out, n)
			}
		}
		return out
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 || f[1] != "installed" {
			continue
		}
		depends[f[0]] = names(f[2])
		for _, p := range names(f[3]) {
			provides[p] = f[0]
		}
	}
	var todo, closure []string
	for _, alternatives := range wanted {
		i := slices.IndexFunc(alternatives, func(p string) bool { _, ok := depends[p]; return ok })
		if i < 0 {
			return nil, fmt.Errorf("package %s is not installed", alternatives[0])
		}
		todo = append(todo, alternatives[i])
		if major, found := strings.CutPrefix(alternatives[i], "clang-"); found {
			todo = append(todo, "libclang-rt-"+major+"-dev")
		}
	}
	seen := map[string]bool{}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, installed := depends[p]; !installed {
			p = provides[p]
		}
		if p == "" || seen[p] {
			continue
		}
		seen[p] = true
		closure = append(closure, p)
		todo = append(todo, depends[p]...)
	}
	return closure, nil
}

func packageFiles(packages []string) ([]string, error) {
	out, err := exec.Command("dpkg-query", append([]string{"-L"}, packages...)...).Output()
	if err != nil {
		return nil, err
	}
	var files []string
	for f := range strings.SplitSeq(string(out), "\n") {
		switch {
		case !strings.HasPrefix(f, "/"), strings.HasPrefix(f, "/usr/share/doc"), strings.HasPrefix(f, "/usr/share/man"),
			strings.HasPrefix(f, "/usr/share/locale"), strings.HasPrefix(f, "/var/lib/dpkg"):
			continue
		}
		files = append(files, f)
	}
	return files, nil
}

// klee finds KLEE and the libraries it is linked with. Without KLEE the image
// is a Debian without KLEE.
func klee(t *testing.T) (prefix string, libraries []string) {
	name := os.Getenv("KLABEL_KLEE")
	if name == "" {
		name = "klee"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", nil
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil
	}
	prefix = filepath.Dir(filepath.Dir(path))
	if st, err := os.Stat(filepath.Join(prefix, "lib", "klee")); err != nil || !st.IsDir() {
		t.Logf("KLEE at %s is not an installed one: left out of the image", path)
		return "", nil
	}
	out, err := exec.Command("ldd", path).Output()
	if err != nil {
		return "", nil
	}
	for word := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(word, "/") {
			libraries = append(libraries, word)
		}
	}
	return prefix, libraries
}

// tree writes files of this machine into a tar archive, with the same paths.
type tree struct {
	w    *tar.Writer
	seen map[string]bool
}

func (t *tree) write(files []string, goroot, kleePrefix string) error {
	// The merged /usr: /bin and the like are links on every Debian of today.
	for _, dir := range []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32"} {
		if target, err := os.Readlink("/" + dir); err == nil {
			t.seen["/"+dir] = true
			if err := t.w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: dir, Linkname: target,
				Mode: 0o777}); err != nil {
				return err
			}
		}
	}
	for name, text := range map[string]string{
		"etc/passwd": "root:x:0:0:root:/root:/bin/sh\n",
		"etc/group":  "root:x:0:\n",
	} {
		t.seen["/"+name] = true
		if err := t.w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			return err
		}
		if _, err := io.WriteString(t.w, text); err != nil {
			return err
		}
	}
	t.seen["/tmp"] = true
	if err := t.w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "tmp", Mode: 0o1777}); err != nil {
		return err
	}
	for _, f := range files {
		if err := t.add(f); err != nil {
			return err
		}
	}
	for _, dir := range []string{"bin", "pkg", "src", "go.env", "VERSION"} {
		if _, err := os.Lstat(filepath.Join(goroot, dir)); err != nil && dir != "bin" {
			continue // see builtBefore
		}
		if err := t.addAs(filepath.Join(goroot, dir), filepath.Join("/usr/local/go", dir)); err != nil {
			return err
		}
	}
	if kleePrefix != "" {
		if err := t.addAs(kleePrefix, kleePrefix); err != nil {
			return err
		}
		link := &tar.Header{Typeflag: tar.TypeSymlink, Name: "home/klee/klee_build", Linkname: kleePrefix, Mode: 0o777}
		if err := t.w.WriteHeader(link); err != nil {
			return err
		}
	}
	return t.w.Close()
}

// addAs adds what is below a folder under another name.
func (t *tree) addAs(from, to string) error {
	return filepath.WalkDir(from, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return t.entry(path, filepath.Join(to, rel))
	})
}

// add adds a file, and what a link leads to, under the path that it really has.
func (t *tree) add(path string) error {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil // listed by a package and removed since
	}
	path = filepath.Join(dir, filepath.Base(path))
	if err := t.entry(path, path); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil && target != path {
		return t.add(target)
	}
	return nil
}

func (t *tree) entry(path, name string) error {
	st, err := os.Lstat(path)
	if err != nil || t.seen[name] || name == "/" {
		return nil // absent files of packages are not needed
	}
	t.seen[name] = true
	link := ""
	switch {
	case st.Mode()&os.ModeSymlink != 0:
		if link, err = os.Readlink(path); err != nil {
			return err
		}
	case !st.Mode().IsRegular() && !st.IsDir():
		return nil
	}
	h, err := tar.FileInfoHeader(st, link)
	if err != nil {
		return err
	}
	h.Name = strings.TrimPrefix(name, "/")
	h.Uid, h.Gid, h.Uname, h.Gname = 0, 0, "", ""
	if err := t.w.WriteHeader(h); err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(t.w, f)
	return err
}

// Package docker holds the image of klabel; the only Go in it is the test that
// builds and runs the image wherever a Docker engine answers.
//
// The base image is klee/klee:3.1 or a Debian, when the engine has one, and
// else is made from the packages of a Debian or Ubuntu machine that has clang
// (and KLEE, when KLABEL_KLEE or PATH names one). KLABEL_DOCKER_BASE and
// KLABEL_DOCKER_BUILDER name other images. In the made image klabel is built
// without -short, else taken from this machine.
package docker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const image = "klabel-smoke:test"

func docker(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "docker", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func mustDocker(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, err := docker(t, args...)
	if err != nil {
		t.Fatalf("docker %s: %v\n%s%s", strings.Join(args, " "), err, tail(out), tail(errs))
	}
	return out
}

func tail(s string) string { return s[max(0, len(s)-3000):] }

func haveImage(t *testing.T, name string) bool {
	_, _, err := docker(t, "image", "inspect", name)
	return err == nil
}

// images finds or makes the two base images.
func images(t *testing.T) (base, builder string) {
	t.Helper()
	base, builder = os.Getenv("KLABEL_DOCKER_BASE"), os.Getenv("KLABEL_DOCKER_BUILDER")
	for _, name := range []string{"klee/klee:3.1", "debian:bookworm", "debian:stable", "debian:latest"} {
		if base == "" && haveImage(t, name) {
			base = name
		}
	}
	for _, name := range []string{"golang:1.26-bookworm", "golang:1.26", "golang:latest"} {
		if builder == "" && haveImage(t, name) {
			builder = name
		}
	}
	if base != "" && builder != "" {
		return base, builder
	}
	made, err := makeBase(t)
	if err != nil {
		t.Skipf("SKIPPED: no base image on this Docker engine, and none can be made here: %v", err)
	}
	if base == "" {
		base = made
	}
	if builder == "" {
		builder = made
	}
	return base, builder
}

// buildContext is the repository, with its modules where a Go is to build it, so
// that the build stage needs no network.
func buildContext(t *testing.T, modules bool) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = ".."
	files, err := list.Output()
	if err != nil {
		t.Skipf("SKIPPED: the sources are not in a git repository: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSpace(string(files)), "\n") {
		if err := copyTo(filepath.Join("..", name), filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if !modules {
		return dir
	}
	vendor := exec.Command("go", "mod", "vendor", "-o", filepath.Join(dir, "vendor"))
	vendor.Dir = ".."
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("go mod vendor: %v\n%s", err, out)
	}
	if err := prune(filepath.Join(dir, "vendor")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// prune drops the modules' files for other systems: nine tenths of them.
func prune(vendor string) error {
	target := build.Default
	target.GOOS = "linux"
	return filepath.WalkDir(vendor, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if match, err := target.MatchFile(filepath.Split(path)); err == nil && !match {
			return os.Remove(path)
		}
		return nil
	})
}

func copyTo(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

func TestImage(t *testing.T) {
	if _, err := exec.LookPath("docker"); err != nil {
		t.Skip("SKIPPED: no docker on this machine")
	}
	if out, errs, err := docker(t, "version"); err != nil {
		t.Skipf("SKIPPED: no Docker engine answers: %v\n%s%s", err, out, errs)
	}
	began := time.Now()
	base, builder := images(t)
	t.Logf("%s: base image %s, build image %s", time.Since(began).Round(time.Second), base, builder)
	dir := buildContext(t, builder != localBase || !testing.Short())
	begin := time.Now()
	mustDocker(t, "build", "-q", "-f", filepath.Join(dir, "docker", "Dockerfile"), "-t", image,
		"--build-arg", "BASE="+base, "--build-arg", "BUILDER="+builder, dir)
	t.Cleanup(func() { removeImage(image) })
	t.Logf("built in %s", time.Since(begin).Round(time.Second))

	t.Run("user", func(t *testing.T) {
		if uid := strings.TrimSpace(mustDocker(t, "run", "--rm", "--entrypoint", "id", image, "-u")); uid != "1000" {
			t.Errorf("the image runs as user %s", uid)
		}
		if pwd := strings.TrimSpace(mustDocker(t, "run", "--rm", "--entrypoint", "pwd", image)); pwd != "/src" {
			t.Errorf("the working directory is %s", pwd)
		}
	})
	t.Run("doctor", func(t *testing.T) {
		// Exit status 4, something missing, is right for an image without KLEE.
		out, errs, err := docker(t, "run", "--rm", "--network", "none", image, "doctor")
		if !strings.Contains(out, "clang") {
			t.Errorf("doctor: %v\n%s%s", err, out, errs)
		}
		t.Log(out)
	})
	t.Run("run", func(t *testing.T) { runInImage(t) })
	t.Run("as any user", func(t *testing.T) {
		src := project(t, "f.c", program)
		if err := os.Chmod(src, 0o755); err != nil {
			t.Fatal(err)
		}
		run := []string{"run", "--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp:exec", "-v", src + ":/src"}
		what := []string{image, "run", "f.c", "--budget", "5s", "--engine", "native"}
		if os.Getuid() != 1000 {
			_, errs, err := docker(t, append(run, what...)...)
			if err == nil || !strings.Contains(errs, fmt.Sprintf("docker run --user %d:", os.Getuid())) {
				t.Errorf("in a folder of another user's: %v, %s", err, errs)
			}
		}
		as := fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
		mustDocker(t, append(append(run, "--user", as), what...)...)
		if fi, err := os.Stat(filepath.Join(src, "f.klabel", "summary.json")); err != nil || !fi.Mode().IsRegular() {
			t.Errorf("no summary came out: %v", err)
		}
	})
	t.Run("compilation database", func(t *testing.T) {
		src := project(t, "f.c", program)
		db := fmt.Sprintf(`[{"directory": %q, "file": "f.c", "command": "cc -DX=1 -c f.c"}]`, src)
		if err := os.WriteFile(filepath.Join(src, "compile_commands.json"), []byte(db), 0o644); err != nil {
			t.Fatal(err)
		}
		out := mustDocker(t, "run", "--rm", "--network", "none", "-v", src+":"+src, "-w", src, image, "run",
			"--compile-commands", "compile_commands.json", "--budget", "5s", "--engine", "native", "--format", "json")
		if !strings.Contains(out, `"covered": 2`) {
			t.Errorf("the database's file was not run: %s", out)
		}
	})
	t.Run("bad file", func(t *testing.T) {
		src := project(t, "bad.c", "int main(void) { return undeclared; }\n")
		_, errs, err := docker(t, "run", "--rm", "--network", "none", "-v", src+":/src", image, "run", "bad.c")
		if err == nil || !strings.Contains(errs, "bad.c:1") {
			t.Errorf("got %v, %q", err, errs)
		}
	})
}

const program = `#include "klee/klee.h"
int main(void) {
  int x = klee_int("x");
  cov_label(x == 4711, 1, "CC");
  if (x > 10) cov_label(x < 12, 2, "CC");
  cov_label(x != x, 3, "CC");
  return 0;
}
`

// project makes a folder to mount that the image's user may write.
func project(t *testing.T, name, source string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "klabel-docker-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// What the container wrote belongs to its user; only it may remove it.
		_, _, _ = docker(t, "run", "--rm", "-v", dir+":/src", "--entrypoint", "sh", image, "-c", "rm -rf /src/*")
		_ = os.RemoveAll(dir)
	})
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func runInImage(t *testing.T) {
	src := project(t, "f.c", program)
	out := mustDocker(t, "run", "--rm", "--network", "none", "-v", src+":/src", image,
		"run", "f.c", "--budget", "20s", "--format", "json")
	var summary struct {
		Labels struct{ Total, Covered int }
		Engine struct{ Name, Version string }
	}
	if err := json.Unmarshal([]byte(out), &summary); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	if summary.Labels.Total != 3 || summary.Labels.Covered != 2 {
		t.Errorf("summary: %+v", summary)
	}
	t.Logf("engine %s %s", summary.Engine.Name, summary.Engine.Version)
	tests, _ := filepath.Glob(filepath.Join(src, "f.klabel", "tests", "*.ktest"))
	if len(tests) == 0 {
		t.Error("no test came out of the container")
	}
}

func removeImage(name string) {
	_ = exec.Command("docker", "image", "rm", "-f", name).Run() // another test may still need it
	fmt.Fprintf(os.Stderr, "removed image %s\n", name)
}

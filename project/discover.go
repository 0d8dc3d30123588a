package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// DatabaseName is what build systems call a compilation database.
const DatabaseName = "compile_commands.json"

// FindDatabase looks for a compilation database in a folder and in the folders
// below it that build systems use; "" when there is none.
func FindDatabase(dir string) string {
	for _, pattern := range []string{".", "build", "_build", "builddir", "out", "build*", "cmake-build-*", "build/*",
		"out/*"} {
		found, err := filepath.Glob(filepath.Join(escape(dir), pattern, DatabaseName))
		found = slices.DeleteFunc(found, Missing) // a link into a build folder that is not there yet
		if err == nil && len(found) > 0 {
			slices.Sort(found)
			return found[0]
		}
	}
	return ""
}

func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// aside are folders whose code is not the project's own product.
var aside = []string{"test", "tests", "testing", "unittest", "unittests", "utest", "cpputest", "smoke", "selftest",
	"example", "examples", "demo", "demos", "sample", "samples", "bench", "benchmark", "benchmarks",
	"fuzz", "fuzzing", "fuzzer", "contrib", "third_party", "thirdparty", "vendor", "external", "cmakefiles"}

// Aside reports whether a file within root is, by its folder or its name, a test,
// an example, a benchmark or somebody else's.
func Aside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = path
	}
	parts := strings.Split(strings.ToLower(filepath.ToSlash(rel)), "/")
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(parts[len(parts)-1], ".c"), ".h"), "-", "_")
	for _, dir := range parts[:len(parts)-1] {
		if slices.Contains(aside, dir) {
			return true
		}
	}
	return slices.Contains(aside, name) || strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test") ||
		strings.HasSuffix(name, "_tests") ||
		strings.HasSuffix(name, "_fuzzer")
}

// Missing reports whether there is no such file.
func Missing(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}

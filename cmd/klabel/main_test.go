package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"klabel": main})
}

// TestScripts runs the real program through the scripts in testdata/script.
// Scripts that need KLEE say [klee], those that need clang [clang]; what is
// skipped says so.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			for _, name := range []string{"KLABEL_KLEE", "CLANG", "XDG_CACHE_HOME"} {
				if v := os.Getenv(name); v != "" {
					env.Setenv(name, v)
				}
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "klee":
				return findKLEE() != "", nil
			case "root":
				return os.Getuid() == 0, nil
			}
			_, err := exec.LookPath(cond)
			return err == nil, nil
		},
	})
}

func findKLEE() string {
	if p := os.Getenv("KLABEL_KLEE"); p != "" {
		return p
	}
	p, _ := exec.LookPath("klee")
	return p
}

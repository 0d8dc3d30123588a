package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"klabel/engine/playback"

	"klabel/toolchain"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"klabel": main,
		// Takes KLEE's command line and plays a recording of KLEE's work.
		"playedklee": func() { os.Exit(playback.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the real program through the scripts in testdata/script.
// Scripts that need KLEE say [klee], those that need clang [clang]; what is
// skipped says so.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir() // what is compiled once is compiled once for all scripts
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("KLEE_BIN", filepath.Dir(findKLEE()))
			for _, name := range []string{"KLABEL_KLEE", "CLANG"} {
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
			case "landlock":
				return toolchain.ConfinementMeans().Landlock > 0, nil
			case "klee-replay":
				_, err := os.Stat(filepath.Join(filepath.Dir(findKLEE()), cond))
				return findKLEE() != "" && err == nil, nil
			case "fuzzer":
				tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
				if err != nil {
					return false, err
				}
				_, err = tools.ClangForFuzzing()
				return err == nil, nil
			case "32":
				tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
				if err != nil || tools.Clang == nil {
					return false, err
				}
				return tools.Clang.Runs32(context.Background()) == nil, nil
			case "soak":
				return os.Getenv("KLABEL_SOAK") != "", nil
			case "root":
				return os.Getuid() == 0, nil
			}
			_, err := exec.LookPath(cond)
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"recording": cmdRecording,
			"json":      cmdJSON,
			"until":     cmdUntil,
			"lines":     cmdLines,
			"quiet":     cmdQuiet,
			"fails":     cmdFails,
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

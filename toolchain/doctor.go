package toolchain

import (
	"fmt"
	"strings"
)

// Finding is one line of klabel doctor: a tool, what was found of it, and what
// to do when it is absent or does not fit.
type Finding struct {
	Tool    string `json:"tool"`
	Purpose string `json:"purpose"`
	Needed  bool   `json:"needed"` // klabel's main job does not work without it
	OK      bool   `json:"ok"`     // found and usable
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	Note    string `json:"note,omitempty"`
	Install string `json:"install,omitempty"` // only when there is something to do
}

// Findings lists every tool. Probe must have been called with Want.All for
// versions of all and for sanitizers that were tried out.
func (t *Tools) Findings() []Finding {
	out := []Finding{t.clangFinding(), t.sanitizerFinding(), t.fuzzerFinding(), t.kleeFinding(), t.kleeClangFinding(),
		t.linkFinding(), confinementFinding()}
	if Host.Machine == "x86_64" {
		out = append(out, t.narrowFinding())
	}
	out = append(out,
		plain(t.FramaC, "frama-c", "values that prove labels infeasible"),
		plain(t.Z3, "z3", "solver for proofs about labels"),
		plain(t.CVC5, "cvc5", "solver for proofs about labels"),
		plain(t.CVC4, "cvc4", "solver for proofs about labels"),
		plain(t.Make, "make", "building and testing klabel itself"),
		plain(t.Docker, "docker", "the image of docker/"),
	)
	return out
}

func plain(tool *Tool, name, purpose string) Finding {
	f := Finding{Tool: name, Purpose: purpose}
	if tool == nil {
		f.Install = installHint(name)
		return f
	}
	f.OK, f.Path, f.Version = true, tool.Path, tool.Version
	return f
}

func (t *Tools) clangFinding() Finding {
	f := Finding{Tool: "clang", Purpose: "reads, checks and compiles C", Needed: true}
	if t.Clang == nil {
		f.fail(t.clangErr)
		return f
	}
	f.OK, f.Path, f.Version = true, t.Clang.Path, t.Clang.Version
	if len(t.Clangs) > 1 {
		var others []string
		for _, c := range t.Clangs {
			if c != t.Clang {
				others = append(others, c.Version)
			}
		}
		f.Note = "also there: " + strings.Join(others, ", ")
	}
	return f
}

func (t *Tools) sanitizerFinding() Finding {
	f := Finding{Tool: "sanitizers", Purpose: "find runtime errors during replay"}
	if t.Clang == nil {
		f.Note = "no clang"
		return f
	}
	var has, lacks []string
	for _, s := range []struct {
		name string
		ok   bool
	}{{"AddressSanitizer", t.Clang.HasASan}, {"UBSan", t.Clang.HasUBSan}} {
		if s.ok {
			has = append(has, s.name)
		} else {
			lacks = append(lacks, s.name)
		}
	}
	f.OK = len(lacks) == 0
	if f.OK {
		f.Note = strings.Join(has, ", ")
		return f
	}
	f.Note = "without " + strings.Join(lacks, ", ")
	f.Install = runtimeHint(t.Clang.Major)
	return f
}

func (t *Tools) narrowFinding() Finding {
	f := Finding{Tool: "32 bits", Purpose: "programs of -m32"}
	if f.OK = t.Clang != nil && t.Clang.Has32; !f.OK {
		f.Note, f.Install = "what they are linked with is missing", install32
	}
	return f
}

// runtimeHint says how to get what clang links to sanitizers and fuzzers.
func runtimeHint(major int) string {
	if hasProgram("apt-get") {
		return fmt.Sprintf("sudo apt-get install libclang-rt-%d-dev", major)
	}
	return "install the compiler-rt libraries of this clang"
}

func (t *Tools) fuzzerFinding() Finding {
	f := Finding{Tool: "libFuzzer", Purpose: "fuzzing (--engine fuzz)"}
	c, err := t.ClangForFuzzing()
	if err != nil {
		f.fail(err)
		return f
	}
	f.OK, f.Path, f.Version = true, c.Path, c.Version
	return f
}

func (t *Tools) kleeFinding() Finding {
	f := Finding{Tool: "klee", Purpose: "symbolic execution (--engine klee; without it, klabel's own engine)"}
	k, err := t.RequireKLEE()
	if err != nil {
		f.fail(err)
		if t.KLEE != nil {
			f.Path, f.Version = t.KLEE.Path, t.KLEE.Version
		}
		return f
	}
	f.OK, f.Path, f.Version = true, k.Path, k.Version
	notes := []string{"LLVM " + k.LLVM}
	switch {
	case k.RuntimeDir == "":
		notes = append(notes, "runtime libraries not found where KLEE keeps them")
	default:
		notes = append(notes, has("POSIX runtime", k.Posix), has("uclibc", k.Uclibc))
	}
	f.Note = strings.Join(notes, ", ")
	return f
}

func has(what string, ok bool) string {
	if ok {
		return what
	}
	return "no " + what
}

func (t *Tools) kleeClangFinding() Finding {
	f := Finding{Tool: "clang for klee", Purpose: "writes bitcode that KLEE reads"}
	if t.KLEE == nil {
		f.Note = "no KLEE"
		return f
	}
	c, err := t.ClangFor(t.KLEE)
	if err != nil {
		f.fail(err)
		return f
	}
	f.OK, f.Path, f.Version = true, c.Path, c.Version
	if c.Major < t.KLEE.LLVMMajor {
		f.Note = fmt.Sprintf("older than KLEE's LLVM %d, which is fine", t.KLEE.LLVMMajor)
	}
	return f
}

func (t *Tools) linkFinding() Finding {
	f := Finding{Tool: "llvm-link", Purpose: "joins programs of several files"}
	c := t.Clang
	if t.KLEE != nil {
		if fits, err := t.ClangFor(t.KLEE); err == nil {
			c = fits
		}
	}
	switch {
	case c == nil:
		f.Note = "no clang"
	case c.LLVMLink == "":
		f.Install = llvmLinkHint(c.Major)
	default:
		f.OK, f.Path, f.Version = true, c.LLVMLink, c.Version
	}
	return f
}

func confinementFinding() Finding {
	m := ConfinementMeans()
	f := Finding{Tool: "confinement", Purpose: "keeps programs under test from files, network and processes",
		OK: m.Namespaces, Note: m.String()}
	if !f.OK {
		f.Install = "allow user namespaces (docker run --security-opt seccomp=unconfined --security-opt " +
			"systempaths=unconfined; sysctl kernel.unprivileged_userns_clone=1), or run klabel in a machine of its own"
	}
	return f
}

func (f *Finding) fail(err error) {
	if err == nil {
		return
	}
	var missing *MissingError
	if asMissing(err, &missing) {
		f.Note, f.Install = missing.Why, missing.Install
		return
	}
	f.Note = TellingLine(err.Error())
}

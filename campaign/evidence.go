package campaign

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"klabel/disk"
	"klabel/replayer"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// compiledFrom says what the program was made of and how, for evidence that names
// it. It is asked when the files were just read.
func (p *program) compiledFrom(clang *toolchain.Clang, rt runtime_c.Paths, sanitize bool) *report.Compiled {
	out := &report.Compiled{Replay: replayer.Flags(clang, sanitize), Units: []report.Unit{}, Headers: []report.Header{}}
	seen := map[string]bool{}
	for _, u := range p.plain {
		path, sum := fileSum(u.Path)
		unit := report.Unit{Name: u.Path, Path: path, SHA256: sum, Flags: append([]string{}, u.Flags...)}
		for _, h := range u.Headers() {
			if inside(rt.Dir, h.File) { // klabel's version says what these are
				continue
			}
			unit.Headers = append(unit.Headers, h.File)
			if !seen[h.File] {
				seen[h.File] = true
				path, sum := fileSum(h.File)
				out.Headers = append(out.Headers,
					report.Header{Name: h.File, Path: path, SHA256: sum, System: h.System})
			}
		}
		out.Units = append(out.Units, unit)
	}
	return out
}

// fileSum is where a file lies, and its hash; "" where it cannot be read.
func fileSum(name string) (path, sum string) {
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	text, err := disk.Read(path)
	if err != nil {
		return path, ""
	}
	s := sha256.Sum256(text)
	return path, hex.EncodeToString(s[:])
}

// hashed adds to sources what they were when they were read, where that is known,
// and else what they are now.
func hashed(in []report.Source, c *report.Compiled) []report.Source {
	known := map[string]string{}
	if c != nil {
		for _, h := range c.Headers {
			known[h.Path] = h.SHA256
		}
		for _, u := range c.Units {
			known[u.Path] = u.SHA256
		}
	}
	for i, s := range in {
		sum, ok := known[s.Path]
		if !ok {
			_, sum = fileSum(s.Path)
		}
		in[i].SHA256 = sum
	}
	return in
}

// toolsUsed are the programs that verdicts rest on, beside the engine.
func (c *session) toolsUsed() []report.UsedTool {
	out := []report.UsedTool{{Name: "klabel", Version: cmp.Or(c.job.Version, "unknown")},
		{Name: "clang", Version: c.clang.Version}}
	if c.build.engine != nil && c.build.engine.Version != c.clang.Version {
		out = append(out, report.UsedTool{Name: "clang, for the engine", Version: c.build.engine.Version})
	}
	return out
}

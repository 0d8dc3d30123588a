package annotate

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"klabel/csource"
	"klabel/disk"
	"klabel/label"
	"klabel/objective"
	"klabel/runtime_c"
)

// Job is a run over one or more files.
type Job struct {
	Options
	Files     []string // C files; with a compilation database, those of it if empty
	Database  string   // compile_commands.json
	Output    string   // file, or folder for several files; "-" is standard output
	LabelFile string   // default: next to the output
	Copy      string   // folder for a copy of the project with labelled sources in place
	Root      string   // what Copy copies; default: the folder that holds all files
	Parallel  int      // files at once; 0: one a processor
}

// File is one labelled file of a result.
type File struct {
	Source string
	Output string
	Labels int
}

// Result says what a job made.
type Result struct {
	Files     []File
	LabelFile string
	Labels    []label.Label // of all files, by ID
	Reasons   map[label.ID]string
	Decisions []objective.Decision // of criteria of pairs; beside the label file they are its .hyperlabels
	Warnings  []string
	Text      []byte // with Output "-"
}

// FilesError lists the files that could not be labelled. The others were.
type FilesError struct{ Errors []error }

func (e *FilesError) Error() string {
	lines := make([]string, len(e.Errors))
	for i, x := range e.Errors {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.Is and errors.As every file's error.
func (e *FilesError) Unwrap() []error { return e.Errors }

// keepText bounds the preprocessed text of the units that stay in memory
// between counting and writing; files beyond it are read twice.
const keepText = 16 << 20

// source is a file on its way through a job.
type source struct {
	path  string
	flags []string
	plan  *plan // nil when it is to be read again
	names []string
	count int
	block block
	out   string
	done  *Labelled
	err   error
}

// BitcodeHeader is the file in a copy of a project that keeps labels in bitcode.
const BitcodeHeader = "klabel-bitcode.h"

// Run labels the files of a job. Files fail one by one: the result then holds
// the others, and the error is a *FilesError. Nothing is written for a file
// that fails, and nothing at all when the job itself is wrong.
func Run(ctx context.Context, j Job) (*Result, error) {
	j.setDefaults()
	if _, err := selectCriteria(j.Criteria); err != nil {
		return nil, err
	}
	srcs, err := j.sources()
	if err != nil {
		return nil, err
	}
	if err := j.outputs(srcs); err != nil {
		return nil, err
	}
	if wants(j.Criteria, "PATCH") {
		if err := j.loadChanges(ctx, filepath.Dir(srcs[0].path)); err != nil {
			return nil, err
		}
	}
	if j.IncludeDirs == nil {
		rt, done, err := runtime_c.Shared()
		if err != nil {
			return nil, err
		}
		defer done()
		j.IncludeDirs = []string{rt.Include}
	}
	var kept int64
	var mu sync.Mutex
	j.each(ctx, srcs, func(s *source) {
		p, err := j.read(ctx, s)
		if err != nil {
			s.err = err
			return
		}
		s.count = p.count()
		for _, f := range p.unit.Functions() {
			if !f.Origin.System {
				s.names = append(s.names, f.Name)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if kept += int64(len(p.unit.Text)); kept <= keepText || len(srcs) == 1 {
			s.plan = p
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := usage(srcs); err != nil {
		return nil, err
	}
	if err := checkFunctions(j.Functions, srcs); err != nil {
		return nil, err
	}
	if err := assign(srcs, j.First, j.labelFile(srcs)); err != nil {
		return nil, err
	}
	if j.Copy != "" {
		if err := CopyTree(j.Root, j.Copy, func(string, fs.DirEntry) bool { return false }); err != nil {
			return nil, err
		}
		header, err := runtime_c.FS.ReadFile("include/klabel/bitcode.h")
		if err != nil {
			return nil, err
		}
		if err := writeFile(filepath.Join(j.Copy, BitcodeHeader), header); err != nil {
			return nil, err
		}
	}
	j.each(ctx, srcs, func(s *source) {
		if s.err == nil {
			s.err = j.write(ctx, s)
		}
		s.plan = nil
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j.result(srcs)
}

func (j *Job) read(ctx context.Context, s *source) (*plan, error) {
	o := j.Options
	u, err := csource.Load(ctx, s.path, csource.Options{Clang: j.Clang, Flags: s.flags, LabelMacros: o.LabelMacros,
		IncludeDirs: o.IncludeDirs})
	if err != nil {
		return nil, err
	}
	return collect(ctx, u, &o)
}

func (j *Job) write(ctx context.Context, s *source) (err error) {
	p := s.plan
	if p == nil {
		if p, err = j.read(ctx, s); err != nil {
			return err
		}
	}
	l, err := p.finish(ctx, s.block.first)
	if err != nil {
		return err
	}
	if n := len(l.Labels); n > 0 && l.Next > s.block.first+label.ID(s.block.size) && s.block.size > 0 {
		return fmt.Errorf("%s: changed while it was read", s.path)
	}
	if j.Output != "-" {
		if err := writeFile(s.out, l.Text); err != nil {
			return err
		}
		l.Text = nil
	}
	l.pieces = nil
	s.done = l
	return nil
}

// each runs f over the files in parallel.
func (j *Job) each(ctx context.Context, srcs []*source, f func(*source)) {
	n := j.Parallel
	if n <= 0 {
		n = runtime.NumCPU()
	}
	work := make(chan *source)
	var wg sync.WaitGroup
	for range min(n, len(srcs)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := range work {
				f(s)
			}
		}()
	}
feed:
	for _, s := range srcs {
		select {
		case work <- s:
		case <-ctx.Done():
			break feed
		}
	}
	close(work)
	wg.Wait()
}

// writeFile writes a file and the folders that lead to it.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.Output(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

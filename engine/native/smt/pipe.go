package smt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"klabel/engine/native/expr"
	"klabel/toolchain"
)

// Pipe is an SMT solver in a process of its own, asked through SMT-LIB. The
// process is started at the first question and again after it
// failed or ran out of time.
type Pipe struct {
	argv []string
	proc *toolchain.Process
	stop context.CancelFunc
	in   *io.PipeWriter
	from *io.PipeReader
	out  *bufio.Reader // on from

	floats bool // the process was told that floating point may come
}

// pipeSolvers are the solvers known by name, with what they need to be asked
// question after question.
var pipeSolvers = map[string][]string{
	"z3":   {"-in", "-smt2", "model=true"},
	"cvc5": {"--incremental", "--produce-models", "--lang=smt2"},
	"cvc4": {"--incremental", "--produce-models", "--lang=smt2"},
}

// NewPipe is for the solver at path; name says which one
// it is (z3, cvc5 or cvc4).
func NewPipe(name, path string) (*Pipe, error) {
	args, ok := pipeSolvers[name]
	if !ok {
		return nil, fmt.Errorf("unknown SMT solver %q: use z3, cvc5 or cvc4", name)
	}
	return &Pipe{argv: append([]string{path}, args...)}, nil
}

// ErrSlow says that an answer did not come in time.
var ErrSlow = errors.New("no answer in time")

func (p *Pipe) start() error {
	ctx, stop := context.WithCancel(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	proc, err := toolchain.Start(ctx, toolchain.Command{Argv: p.argv, Stdin: inR, Stdout: outW,
		Grace: 100 * time.Millisecond})
	if err != nil {
		stop()
		return err
	}
	go func() {
		<-proc.Done()
		inR.CloseWithError(io.ErrClosedPipe)
		outW.CloseWithError(io.EOF)
	}()
	p.proc, p.stop, p.in, p.from, p.out = proc, stop, inW, outR, bufio.NewReader(outR)
	logic := "QF_BV" // which solvers are quicker with
	if p.floats {
		logic = "QF_BVFP"
	}
	return p.say("(set-logic " + logic + ")\n")
}

func (p *Pipe) say(text string) error {
	_, err := io.WriteString(p.in, text)
	return err
}

// Close ends the process.
func (p *Pipe) Close() {
	if p.proc == nil {
		return
	}
	p.in.Close()
	p.from.Close() // or the process's output would have nowhere to go
	p.stop()
	<-p.proc.Done()
	p.proc = nil
}

// Check asks about a conjunction; the model of a satisfiable one is the solver's word.
func (p *Pipe) Check(ctx context.Context, cs []*expr.Expr, limit time.Duration) (Result, *expr.Model, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if slices.ContainsFunc(cs, (*expr.Expr).HasFloat) && !p.floats {
		p.Close()
		p.floats = true
	}
	if p.proc == nil {
		if err := p.start(); err != nil {
			p.proc = nil
			return Unknown, nil, err
		}
	}
	type answer struct {
		r   Result
		m   *expr.Model
		err error
	}
	got := make(chan answer, 1)
	go func() {
		r, m, err := p.ask(cs)
		got <- answer{r, m, err}
	}()
	select {
	case a := <-got:
		if a.err != nil {
			p.Close()
		}
		return a.r, a.m, a.err
	case <-ctx.Done():
		p.Close()
		<-got
		return Unknown, nil, ErrSlow
	}
}

func (p *Pipe) ask(cs []*expr.Expr) (Result, *expr.Model, error) {
	text, positions, err := Write(cs)
	if err != nil {
		return Unknown, nil, err
	}
	if err := p.say("(push 1)\n" + text + "(check-sat)\n"); err != nil {
		return Unknown, nil, err
	}
	line := ""
	for strings.TrimSpace(line) == "" { // the end of the line of an earlier model
		if line, err = p.out.ReadString('\n'); err != nil {
			return Unknown, nil, err
		}
	}
	r, m := Unknown, &expr.Model{}
	switch strings.TrimSpace(line) {
	case "sat":
		r = Sat
		if len(positions) > 0 {
			if m, err = p.values(positions); err != nil {
				return Unknown, nil, err
			}
		}
	case "unsat":
		r = Unsat
	case "unknown":
	default:
		return Unknown, nil, fmt.Errorf("%s says %s", p.argv[0], strings.TrimSpace(line))
	}
	return r, m, p.say("(pop 1)\n")
}

func (p *Pipe) values(positions []uint64) (*expr.Model, error) {
	var s strings.Builder
	s.WriteString("(get-value (")
	for _, pos := range positions {
		fmt.Fprintf(&s, "b%d ", pos)
	}
	s.WriteString("))\n")
	if err := p.say(s.String()); err != nil {
		return nil, err
	}
	var text strings.Builder
	for depth := 0; ; {
		c, err := p.out.ReadByte()
		if err != nil {
			return nil, err
		}
		text.WriteByte(c)
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return parseValues(text.String())
			}
		}
	}
}

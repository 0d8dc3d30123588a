package prune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/label"
)

// wpStandsBack says why WP's answers for a function would not be sound. WP
// looks at one function and assumes the memory of different types to be apart
// and unknown functions to leave the program's variables alone; it does not cut
// values to the width of a bit-field, and its floating point knows no NaN.
func (p *program) wpStandsBack(f *fun) string {
	switch {
	case f.asm:
		return "inline assembly"
	case f.floats:
		return "floating point"
	case f.bits:
		return "bit-fields"
	case f.calls["__builtin_memcpy"]:
		return "memory is copied byte by byte"
	case p.puns && f.derefs:
		return "pointers, in a program that sees objects as several types"
	}
	for c := range f.calls {
		if p.funcs[c] == nil && !framacKnows(c) && !p.macros[c] {
			return fmt.Sprintf("it calls %s, of which nothing is known", c)
		}
	}
	return ""
}

// aliased lists the variables that a pointer may point to: WP must keep them in
// memory, or it takes for granted that no pointer reaches them.
func (p *program) aliased() []string {
	names := map[string]bool{}
	for _, u := range p.units {
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			var e cc.ExpressionNode
			switch x := n.(type) {
			case *cc.UnaryExpression:
				if x.Case != cc.UnaryExpressionAddrof {
					return true
				}
				e = x.CastExpression
			case *cc.PrimaryExpression:
				if x.Case != cc.PrimaryExpressionIdent || !isArray(x) {
					return true
				}
				e = x // an array; that it is only indexed is not worth telling
			default:
				return true
			}
			if d := root(e); d != nil && d.Name() != "" {
				names[d.Name()] = true
			}
			return true
		})
	}
	return sortedKeys(names)
}

// root is the variable of which an expression names a part.
func root(e cc.ExpressionNode) *cc.Declarator {
	for {
		switch x := csource.Unparen(e).(type) {
		case *cc.PrimaryExpression:
			d, _ := x.ResolvedTo().(*cc.Declarator)
			return d
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionIndex && x.Case != cc.PostfixExpressionSelect {
				return nil
			}
			e = x.PostfixExpression
		default:
			return nil
		}
	}
}

// wpLabels is how many labels one process proves: what a process that runs out
// of time has proved is lost.
const wpLabels = 3

// wp has Frama-C's WP prove the open labels of each function, several functions
// at a time. With EvaWP the function is told what Eva knows of its variables.
func (j *job) wp(ctx context.Context, m Method) error {
	if m == EvaWP && j.facts == nil {
		return standBack("Eva has no answer for this program")
	}
	if err := j.why3(ctx); err != nil {
		return err
	}
	sem := make(chan struct{}, j.Workers)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for i, f := range j.p.order {
		var open []*lab
		for _, l := range f.labs {
			if j.open(l.ID) {
				open = append(open, l)
			}
		}
		if len(open) == 0 || f.namesake != nil {
			continue
		}
		if why := j.p.wpStandsBack(f); why != "" {
			j.note("%s: %s is left out: %s", m, f.Name, why)
			continue
		}
		for part := range slices.Chunk(open, wpLabels) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				sem <- struct{}{}
				defer func() { <-sem }()
				part := slices.DeleteFunc(slices.Clone(part), func(l *lab) bool { return !j.open(l.ID) })
				if ctx.Err() != nil || len(part) == 0 {
					return
				}
				if err := j.wpFunction(ctx, m, i, f, part); err != nil {
					mu.Lock()
					errs = append(errs, fmt.Errorf("%s: %w", f.Name, err))
					mu.Unlock()
				}
			}()
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (j *job) wpFunction(ctx context.Context, m Method, n int, f *fun, open []*lab) error {
	start := time.Now()
	text := j.p.text(f.unit, func(l *lab) string {
		if !slices.Contains(open, l) {
			return ""
		}
		known := ""
		if m == EvaWP && j.facts.at[l] != "" {
			known = fmt.Sprintf("%s/*@ admit klabel_fact: %s; */ ; ", newline, j.facts.at[l])
		}
		return fmt.Sprintf("%sint klabel_l = !!(%s); %s/*@ check klabel_n%d: klabel_l == 0; */ ; %s", known, l.Predicate, newline, l.ID, newline)
	}, func(e *csource.Edits) {
		if m == EvaWP && j.facts.entry[f] != "" {
			e.Insert(f.Body.Start+1, fmt.Sprintf("%s/*@ admit klabel_fact: %s; */ ; %s", newline, j.facts.entry[f], newline))
		}
		j.p.shorten(f, e)
	})
	mtext, err := j.p.modelText()
	if err != nil {
		return err
	}
	all := framacHead + mtext + string(framacText(text))
	aliased := strings.Join(j.p.aliased(), ",")
	key := j.key("wp", j.Goal.String(), f.Name, aliased, all)
	var v verdicts
	cached := j.cached(key, &v)
	if !cached {
		name := fmt.Sprintf("%s%d-%d", m, n, open[0].ID)
		file := j.file(name + ".i")
		if err := os.WriteFile(file, []byte(all), 0o666); err != nil {
			return err
		}
		secs := fmt.Sprint(max(1, int(j.Goal.Seconds()+0.5)))
		args := []string{"-wp", "-wp-fct", f.Name, "-wp-prop", "@check", "-wp-prover", j.provers(), "-wp-timeout", secs, "-wp-par", "1", "-wp-cache", "none",
			"-wp-model", "Typed", "-wp-session", j.file(name + ".wp")}
		if aliased != "" {
			args = append(args, "-wp-alias-vars", aliased)
		}
		limit := time.Duration(len(open)+5) * 3 * j.Goal
		var err error
		if v, _, _, err = j.framac(ctx, name, []string{file}, limit, args...); err != nil {
			return err
		}
		j.keep(key, v)
	}
	each := time.Since(start).Seconds() / float64(len(open))
	for _, l := range open {
		if v[fmt.Sprintf("n%d", l.ID)] == "Valid" && j.open(l.ID) {
			why := "the weakest precondition of a hit is proved unsatisfiable"
			if m == EvaWP {
				why += " with what value analysis knows of the variables"
			}
			j.found(Finding{ID: l.ID, Status: label.Infeasible, Method: m, Step: 1, Text: why, Seconds: each, Cached: cached})
		}
	}
	return nil
}

// shorten empties the bodies of other functions. WP does not look at them, only
// that they are there (a function without a body it would believe to leave the
// program's variables alone), so that the answer depends on this function.
func (p *program) shorten(f *fun, e *csource.Edits) {
	for _, g := range p.order {
		if g != f && g.unit == f.unit {
			e.Replace(g.Body, "{ while (1) ; }")
		}
	}
}

// provers lists the provers that why3 found, the better ones first.
func (j *job) provers() string {
	b, _ := os.ReadFile(j.file("why3.conf"))
	var out []string
	for _, p := range []string{"z3", "cvc4", "cvc5", "alt-ergo"} {
		if strings.Contains(strings.ToLower(string(b)), p) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out[:min(2, len(out))], ",")
}

package csource

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"

	"modernc.org/cc/v4"
)

// The parser holds a prototype against the definition more strictly than C does: an
// enumeration and the integer that it is are two types to it. What clang has read has no
// conflict; so the parser is shown the prototype under another name, of the same length. Limit: a
// file that speaks of the function between the two is not read all the same.

// conflicting matches the parser's words. What is declared there is a function.
var conflicting = regexp.MustCompile(textName + `:(\d+):(\d+): [^\n]*conflicting types for '(\w+)', ` +
	`previous declaration at ` + textName + `:(\d+):(\d+):?, function`)

// mostConflicts bounds how many such prototypes, and ways to assert sizes (see believe), a file may have; each costs a
// further reading.
const mostConflicts = 8

// translated reads the unit, with such prototypes set aside and asserted sizes believed.
func (u *Unit) translated() (ast *cc.AST, err error) {
	for range mostConflicts {
		var e *Error
		ast, err = u.translate()
		if !errors.As(err, &e) || !u.setAside(e.said) && !u.believe(e.said) && !u.demand() {
			break
		}
	}
	return ast, err
}

// setAside gives the prototype of which an error speaks another name; false if it speaks of none.
func (u *Unit) setAside(said string) bool {
	m := conflicting.FindStringSubmatch(said)
	if m == nil {
		return false
	}
	to, from := u.parserPlace(m[1], m[2]), u.parserPlace(m[4], m[5])
	word := regexp.MustCompile(`\b` + m[3] + `\b`)
	uses := word.FindAllIndex(u.view.text[from:max(from, to)], -1)
	if len(uses) != 1 {
		return false
	}
	name := []byte(m[3])
	for c := byte('A'); c <= 'Z'; c++ {
		name[len(name)-1] = c
		if !bytes.Contains(u.view.text, name) {
			copy(u.view.text[from+uses[0][0]:], name)
			return true
		}
	}
	return false
}

// parserPlace is where a position of the parser's is in the view.
func (u *Unit) parserPlace(line, col string) int {
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(col)
	return min(u.view.place(l, c), len(u.view.text))
}

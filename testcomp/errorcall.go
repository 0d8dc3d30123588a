package testcomp

import (
	"fmt"

	"klabel/csource"
	"klabel/label"
)

// ErrorLabel returns the unit's text with a label at the entry of the error
// function. Such a function ends the program with a failed assertion, after
// which nothing counts as covered; so the program ends there normally, as soon
// as the label is reached. A function that is only declared gets a definition.
func ErrorLabel(u *csource.Unit, function string, id label.ID) []byte {
	body := fmt.Sprintf("{ extern void exit(int); cov_label(1, %d, \"ERROR\"); exit(0); }", id)
	e := u.Edits()
	if f := u.Function(function); f != nil {
		e.Insert(f.Body.Start+1, " "+body)
		return e.Apply()
	}
	return append(e.Apply(), fmt.Sprintf("\nvoid %s(void) %s\n", function, body)...)
}

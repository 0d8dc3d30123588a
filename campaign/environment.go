package campaign

import (
	"fmt"
	"strings"

	"klabel/linkage"
)

// openEnvironment makes the arguments, the standard input and a file of a program
// symbolic that looks at them, where the user gives none: started without any, it
// would show no more than its message of how it is used. Each engine has bounds of its
// own.
func (c *session) openEnvironment() {
	e := c.prog.image.entries
	if len(c.job.ProgramArgs) > 0 || len(e) != 1 || !e[0].ownMain() || len(c.prog.units) == 0 {
		return
	}
	asks := linkage.AsksFor(c.prog.units, e[0].unit)
	args := asks.Options(c.row.bounds)
	if len(args) == 0 {
		return
	}
	if can := c.row.environment; can != nil {
		if why := can(c.tools, c.prog.units); why != "" {
			c.obs.Note(c.row.title + " gives the program no arguments and no input: " + why + "; --engine fuzz does")
			return
		}
	}
	c.job.ProgramArgs, c.build.args, c.build.given = args, args, true
	c.ownInput = asks.Input
	text := strings.Join(args, " ")
	if c.beside != nil {
		c.beside.build.args, c.beside.reads = asks.Options(c.beside.row.bounds), true
		text += fmt.Sprintf(" (by %s %s)", c.beside.row.title, strings.Join(c.beside.build.args, " "))
	}
	c.obs.Note(fmt.Sprintf("the program is given %s; others stand after --", text))
}

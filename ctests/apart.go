package ctests

import (
	"fmt"
	"regexp"
	"strings"

	"klabel/input"
)

// tellStubsApart gives stubs of one name other names where they are not the same. Entries are written into
// several images, and names are free in each.
func tellStubsApart(tests []*written) {
	taken := map[string]string{} // what the stub of a name looks like
	renamed := map[*input.Driver]map[string]string{}
	for _, t := range tests {
		if d := t.driver; d != nil && renamed[d] == nil {
			renamed[d] = map[string]string{}
			for _, c := range d.Calls {
				if c.Static {
					noteStub(c, taken, renamed[d])
				}
			}
		}
	}
	for _, t := range tests {
		if names := renamed[t.driver]; len(names) > 0 {
			t.rename(names)
		}
	}
}

// noteStub notes the stub's name, or another one.
func noteStub(c *input.Call, taken, names map[string]string) {
	look := strings.ReplaceAll(signature(c), c.Function, "")
	for i, name := 1, c.Function; ; i++ {
		if i > 1 {
			name = fmt.Sprintf("%s_other_%d", c.Function, i)
		}
		if known, ok := taken[name]; ok && known != look {
			continue
		}
		taken[name] = look
		if i > 1 {
			names[c.Function] = name
		}
		return
	}
}

// signature is all of a stub that its C depends on.
func signature(c *input.Call) string {
	var s strings.Builder
	s.WriteString(c.Head + c.Value + fmt.Sprint(c.Through, c.Rooms, c.Hands, c.Text))
	for _, in := range append([]*input.Input{c.Result}, c.Outputs...) {
		if in != nil {
			s.WriteString("\n" + in.Type.Decl)
		}
	}
	return s.String()
}

// rename calls the stubs of a test by other names.
func (t *written) rename(names map[string]string) {
	other := *t.driver
	other.Calls = nil
	for _, c := range t.driver.Calls {
		if to := names[c.Function]; to != "" && c.Static {
			of := regexp.MustCompile(`\b` + regexp.QuoteMeta(c.Function) + `\b`)
			called := *c
			called.Function, called.Head = to, of.ReplaceAllString(c.Head, to)
			queues := regexp.MustCompile(`\b(given_)?` + regexp.QuoteMeta(c.Function) + `((?:_returns|_writes_\d)\w*)?\b`)
			t.before = queues.ReplaceAllString(t.before, "${1}"+to+"${2}")
			t.call = of.ReplaceAllString(t.call, to)
			c = &called
		}
		other.Calls = append(other.Calls, c)
	}
	t.driver = &other
}

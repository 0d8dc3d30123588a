package campaign

import (
	"fmt"
	"strings"
)

// restoredNote ends what is said of files that are there again.
const restoredNote = "; they are as they were"

// noteRepairs says what the store had to do so that no label counts as covered
// without its test.
func (c *session) noteRepairs() {
	r := c.st.Repairs()
	if r.Emptied {
		c.note(fmt.Sprintf("the store was empty: what it held is lost, and the campaign begins anew (copy %s and give "+
			"it with --existing, if its tests shall count)", c.layout.tests()))
	}
	if n := len(r.Restored); n > 0 {
		c.note(fmt.Sprintf("files of %d tests were missing or changed (%s)%s", n, some(r.Restored), restoredNote))
	}
	if n := len(r.Lost); n > 0 {
		c.note(fmt.Sprintf("%d tests are lost (%s)", n, some(r.Lost)))
	}
	if n := len(r.Uncovered); n > 0 {
		c.note(fmt.Sprintf("%d labels are no longer covered: their tests are lost", n))
	}
}

// restoreFiles brings back what somebody has removed while the run lasted.
func (c *session) restoreFiles() error {
	names, err := c.st.RestoreFiles()
	if n := len(names); n > 0 {
		c.note(fmt.Sprintf("files of %d tests were removed or changed meanwhile (%s)%s", n, some(names), restoredNote))
	}
	return err
}

// some names the first few of a list.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + ", ..."
}

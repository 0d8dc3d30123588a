package report

import (
	"bufio"
	"fmt"
	"io"
)

// lcovText writes a tracefile as geninfo(1) describes it: labels are branches.
func lcovText(w io.Writer, r *Result, _ Options) error {
	b := bufio.NewWriter(w)
	for _, f := range r.files() {
		fmt.Fprintf(b, "TN:\nSF:%s\n", f.Path)
		hit := 0
		for _, fn := range f.Functions {
			fmt.Fprintf(b, "FN:%d,%s\n", fn.Line, fn.Name)
		}
		for _, fn := range f.Functions {
			fmt.Fprintf(b, "FNDA:%d,%s\n", fn.Hits, fn.Name)
			if fn.Hits > 0 {
				hit++
			}
		}
		fmt.Fprintf(b, "FNF:%d\nFNH:%d\n", len(f.Functions), hit)
		for _, l := range f.Lines {
			branch := 0
			for _, row := range l.Rows {
				if !row.branch() {
					continue
				}
				taken := "-" // its line is not known to be executed
				if n := len(row.hitting()); n > 0 || l.Hits > 0 {
					taken = fmt.Sprint(n)
				}
				fmt.Fprintf(b, "BRDA:%d,0,%d,%s\n", l.Number, branch, taken)
				branch++
			}
		}
		lines, hits, branches, covered := f.sums()
		fmt.Fprintf(b, "BRF:%d\nBRH:%d\n", branches, covered)
		for _, l := range f.Lines {
			fmt.Fprintf(b, "DA:%d,%d\n", l.Number, l.Hits)
		}
		fmt.Fprintf(b, "LF:%d\nLH:%d\nend_of_record\n", lines, hits)
	}
	return b.Flush()
}

package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"klabel/label"
)

// defaultWidth is that of a terminal whose width nobody knows.
const defaultWidth = 80

func (o Options) width() int {
	if o.Width <= 0 {
		return defaultWidth
	}
	return max(o.Width, 40) // less than that no text is read in
}

// file names a file as a person in Options.Dir would, if that is shorter.
func (o Options) file(name string) string {
	if o.Dir == "" || !filepath.IsAbs(name) {
		return name
	}
	if rel, err := filepath.Rel(o.Dir, name); err == nil && len(rel) < len(name) {
		return rel
	}
	return name
}

func (o Options) position(p label.Position) string {
	p.File = o.file(p.File)
	return p.String()
}

// column is one column of a table for a terminal.
type column struct {
	title string
	right bool // numbers
	wrap  int  // it gives way where the table is too wide, down to about that width; 0: never
	whole bool // its words stay whole rather, as places do that a terminal leads to
}

// number is a column of numbers.
func number(title string) column { return column{title: title, right: true} }

// mostWhole bounds what a column gets so that its words stay whole.
const mostWhole = 28

// grid is a table that fits a terminal: columns that wrap share what the
// others leave, the narrow ones keeping what they need.
type grid struct {
	columns []column
	rows    [][]string
	footer  []string
}

func (g *grid) add(cells ...any) { g.rows = append(g.rows, words(cells)) }

func (g *grid) foot(cells ...any) { g.footer = words(cells) }

func words(cells []any) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = fmt.Sprint(c)
	}
	return out
}

// widths are the widths of the columns, so that all with their padding fit.
func (g *grid) widths(total, padding int) []int {
	out, want := make([]int, len(g.columns)), make([]int, len(g.columns))
	left, flexible := total-padding*len(g.columns), 0
	for i, c := range g.columns {
		out[i], want[i] = utf8.RuneCountInString(c.title), c.wrap
		for _, r := range append(g.rows, g.footer) {
			if i < len(r) {
				for _, line := range strings.Split(r[i], "\n") {
					out[i] = max(out[i], utf8.RuneCountInString(line))
					if c.whole {
						want[i] = max(want[i], min(longest(line), mostWhole))
					}
				}
			}
		}
		if c.wrap > 0 {
			flexible++
		} else {
			left -= out[i]
		}
	}
	// From the narrowest on, each takes at most its even share of what is left,
	// or what it wants at least while the others still have that too.
	done := make([]bool, len(out))
	for ; flexible > 0; flexible-- {
		best, others := -1, 0
		for i, c := range g.columns {
			if c.wrap > 0 && !done[i] {
				others += min(want[i], out[i])
				if best < 0 || out[i] < out[best] {
					best = i
				}
			}
		}
		least := min(want[best], out[best])
		done[best] = true
		share := max(left/flexible, min(least, left-(others-least)))
		out[best] = max(min(out[best], share), 6)
		left -= out[best]
	}
	return out
}

func (g *grid) render(w io.Writer, width int) error {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Format.Footer = text.FormatDefault
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	widths := g.widths(width, 2)
	if sum := 2 * len(widths); width < sum+wide(widths) { // narrower than most: less between the columns
		s.Box.PaddingLeft = ""
		t.SetStyle(s)
		widths = g.widths(width, 1)
	}
	var configs []table.ColumnConfig
	var head []string
	for i, c := range g.columns {
		k := table.ColumnConfig{Number: i + 1}
		if c.wrap > 0 {
			k.WidthMax, k.WidthMaxEnforcer = widths[i], folded
		}
		if c.right {
			k.Align, k.AlignHeader, k.AlignFooter = text.AlignRight, text.AlignRight, text.AlignRight
		}
		configs = append(configs, k)
		head = append(head, c.title)
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(cells(head))
	for _, r := range g.rows {
		t.AppendRow(cells(r))
	}
	if g.footer != nil {
		t.AppendFooter(cells(g.footer))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func wide(widths []int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}

func cells(words []string) table.Row {
	out := make(table.Row, len(words))
	for i, s := range words {
		out[i] = s
	}
	return out
}

// Wrapped returns text behind a head of some columns, its further lines
// indented by as much.
func Wrapped(head, body string, width int) string {
	indent := strings.Repeat(" ", utf8.RuneCountInString(head))
	room := max(width-len(indent), 20)
	var lines []string
	for _, l := range strings.Split(body, "\n") {
		line := ""
		for _, word := range strings.Fields(l) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return head + strings.Join(lines, "\n"+indent)
}

// entry writes a line of the kind "tests      18 kept of 20".
func entry(w io.Writer, width int, name, format string, a ...any) {
	fmt.Fprintln(w, Wrapped(fmt.Sprintf("%-10s ", name), fmt.Sprintf(format, a...), width))
}

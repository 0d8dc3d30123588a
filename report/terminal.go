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
	tied  bool // it stands beside the column before it, whatever the width
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
	// keys is the number of first columns that each part repeats where the table is
	// too wide for one; 0: it is never parted.
	keys int
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

// needs are the widths that columns have where there is room, and the least that
// they can be read in.
func (g *grid) needs() (full, least []int) {
	full, least = make([]int, len(g.columns)), make([]int, len(g.columns))
	for i, c := range g.columns {
		texts := []string{c.title}
		for _, r := range append(g.rows[:len(g.rows):len(g.rows)], g.footer) {
			if i < len(r) {
				texts = append(texts, strings.Split(r[i], "\n")...)
			}
		}
		least[i] = c.wrap
		for _, line := range texts {
			full[i] = max(full[i], utf8.RuneCountInString(line))
			if c.whole {
				least[i] = max(least[i], min(longest(line), mostWhole))
			}
		}
		least[i] = min(least[i], full[i])
		if c.wrap == 0 {
			least[i] = full[i]
		}
	}
	return full, least
}

// widths are the widths of the columns, so that all with their padding fit.
func (g *grid) widths(total, padding int) []int {
	out, least := g.needs()
	left, flexible := total-padding*len(g.columns), 0
	for i, c := range g.columns {
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
				others += least[i]
				if best < 0 || out[i] < out[best] {
					best = i
				}
			}
		}
		done[best] = true
		share := max(left/flexible, min(least[best], left-(others-least[best])))
		out[best] = max(min(out[best], share), 6)
		left -= out[best]
	}
	return out
}

// parts are tables that each fit a width: the same rows, some columns each.
func (g *grid) parts(width int) []*grid {
	_, least := g.needs()
	if g.keys == 0 || wide(least)+len(least) <= width {
		return []*grid{g}
	}
	var out []*grid
	for from := g.keys; from < len(g.columns); {
		part := &grid{columns: g.columns[:g.keys:g.keys]}
		room := width - wide(least[:g.keys]) - g.keys
		to := from
		for to < len(g.columns) {
			end := to + 1
			for end < len(g.columns) && g.columns[end].tied {
				end++
			}
			room -= wide(least[to:end]) + end - to
			if room < 0 && to > from {
				break
			}
			to = end
		}
		part.columns = append(part.columns, g.columns[from:to]...)
		for _, r := range g.rows {
			part.rows = append(part.rows, append(r[:g.keys:g.keys], r[from:to]...))
		}
		out, from = append(out, part), to
	}
	return out
}

// render writes the table, in several parts where it must be.
func (g *grid) render(w io.Writer, width int) error {
	for i, part := range g.parts(width) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := part.table(w, width); err != nil {
			return err
		}
	}
	return nil
}

func (g *grid) table(w io.Writer, width int) error {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Format.Footer = text.FormatDefault
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	widths := g.widths(width, 2)
	if _, least := g.needs(); width < 2*len(widths)+max(wide(widths), wide(least)) { // less between the columns
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

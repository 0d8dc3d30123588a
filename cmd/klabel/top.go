package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"klabel/cluster"
	"klabel/fault"
)

// topFlags are the command line of top.
type topFlags struct {
	join, secret string
	once, json   bool
}

func newTopCmd() *cobra.Command {
	var f topFlags
	cmd := &cobra.Command{
		Use:   "top --join URL",
		Short: "Show the workers and slices of campaigns on a cluster",
		Long: `Shows, a second each, the campaigns that a server has: labels, workers, slices
a second, how many wait, and what is stuck, with the reason. It ends when it is
interrupted.`,
		Example: `  klabel top --join nats://127.0.0.1:4222
  klabel top --join nats://build7:4222 --secret cluster.secret --once --json`,
		Args: cobra.NoArgs,
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVar(&f.join, "join", "", "`URL` of the server")
	fs.StringVar(&f.secret, "secret", "", "`file` that lets in: a copy of the campaign's DIR.klabel/cluster/secret")
	fs.BoolVar(&f.once, "once", false, "show one moment and end")
	fs.BoolVar(&f.json, "json", false, "one line of JSON a moment, for programs")
	return cmd
}

func (f *topFlags) run(cmd *cobra.Command, _ []string) error {
	if f.join == "" {
		return fault.WithHint(fault.Usagef("which server shall be looked at?"), "--join nats://HOST:4222")
	}
	out := cmd.OutOrStdout()
	file, ok := out.(*os.File)
	live := ok && !f.once && !f.json && term.IsTerminal(int(file.Fd()))
	shown := 0
	err := cluster.Watch(cmd.Context(), f.join, f.secret, func(s cluster.Status, raw []byte) bool {
		shown++
		if f.json {
			fmt.Fprintf(out, "%s\n", raw)
		} else {
			if live {
				fmt.Fprint(out, "\x1b[H\x1b[2J")
			}
			showStatus(out, s)
		}
		return !f.once
	}, 5*time.Second)
	if err != nil && shown > 0 && cmd.Context().Err() != nil {
		return nil // that is how one leaves
	}
	return err
}

// showStatus is a moment for a person.
func showStatus(w io.Writer, s cluster.Status) {
	per := 0.0
	if s.Labels > 0 {
		per = 100 * float64(s.Covered) / float64(s.Labels)
	}
	fmt.Fprintf(w, "%s: %d of %d labels covered (%.1f %%) after %v\n", fault.Visible(s.Program), s.Covered, s.Labels,
		per, time.Duration(s.Seconds)*time.Second)
	fmt.Fprintf(w, "slices: %d running, %d waiting, %d ended, %.1f a second; %d begun again, %d set aside\n", s.Running,
		s.Waiting, s.Ended, s.PerSecond, s.Redelivered, s.SetAside)
	fmt.Fprintf(w, "tests: %d, %d of them twice, %d late\n", s.Tests, s.Twice, s.Strays)
	fmt.Fprintf(w, "workers: %d, slices at a time: %d\n", len(s.Workers), s.Slots)
	for _, x := range s.Workers {
		note := ""
		switch {
		case x.Refuses != "": // a line of its own
			note = "\n    takes no part: " + fault.Visible(x.Refuses)
		case x.Silent > 9: // two signs of life
			note = fmt.Sprintf("  silent for %.0f s", x.Silent)
		case x.Behind > 200: // ten seconds of updates: what it said last is a while ago
			note = fmt.Sprintf("  view behind: %d", x.Behind)
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-30s %-12s %3d of %3d%s", fault.Visible(x.Name),
			fault.Visible(x.Host), x.Busy, x.Slots, note), " "))
	}
	for i, x := range s.Stuck {
		if i == 0 {
			fmt.Fprintln(w, "stuck:")
		}
		fmt.Fprintf(w, "  %-24s %4.0f s  attempt %d  %s\n", fault.Visible(x.Entry), x.Seconds, x.Attempt,
			fault.Visible(x.Why))
	}
}

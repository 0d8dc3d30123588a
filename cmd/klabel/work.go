package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/cluster"
	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
)

// clusterFlags say that a campaign hands its slices to workers.
type clusterFlags struct{ url, listen, secret, metrics string }

func (f *clusterFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.listen, "listen", "", "hand slices to workers ('klabel work'), which join at this `address`")
	fs.StringVar(&f.url, "cluster", "", "hand slices to workers through the NATS server at this `URL`, which "+
		"has JetStream")
	fs.StringVar(&f.secret, "secret", "", "`file` of what lets workers in (default with --listen beyond this "+
		"machine: one that is made in the output directory)")
	fs.StringVar(&f.metrics, "metrics", "", "serve metrics of --listen or --cluster to Prometheus at this `address` "+
		"of this machine")
}

// options is nil where no flag asks for a cluster.
func (f *clusterFlags) options() (*cluster.Options, error) {
	switch {
	case f.url != "" && f.listen != "":
		return nil, fault.Usagef("--listen and --cluster exclude each other: one server is enough")
	case f.url == "" && f.listen == "" && f.secret+f.metrics != "":
		return nil, fault.Usagef("--secret and --metrics go with --listen or --cluster")
	case f.url == "" && f.listen == "":
		return nil, nil
	}
	o := &cluster.Options{URL: f.url, Listen: f.listen, Secret: f.secret, Metrics: f.metrics}
	return o, o.Check()
}

// workFlags are the command line of work.
type workFlags struct {
	join, secret, name string
	jobs               int
	once               bool
}

func newWorkCmd() *cobra.Command {
	var f workFlags
	cmd := &cobra.Command{
		Use:   "work --join URL",
		Short: "Work on campaigns of other machines",
		Long: `Takes slices of campaigns that 'klabel run --listen' or 'klabel run --cluster'
puts on a server, explores them with the engines that are here, and sends back
the tests. What counts is decided where the campaign is. It goes on until it is
interrupted, and waits where the server is out of reach.

A campaign of another release of klabel, or for engines that are not here in the
same version, is refused with a word.

A worker runs programs that the campaign sends, confined as on one machine:
docs/cluster.md says what that means.`,
		Example: `  klabel work --join nats://127.0.0.1:4222
  klabel work --join nats://build7:4222 --secret cluster.secret --jobs 8`,
		Args: cobra.NoArgs,
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVar(&f.join, "join", "", "`URL` of the server")
	fs.StringVar(&f.secret, "secret", "", "`file` that lets in: a copy of the campaign's DIR.klabel/cluster/secret")
	fs.IntVar(&f.jobs, "jobs", 0, "slices at a time (default: the number of cores)")
	fs.StringVar(&f.name, "name", "", "`name` of the worker (default: made of the machine's)")
	fs.BoolVar(&f.once, "once", false, "end when a campaign has ended")
	return cmd
}

func (f *workFlags) run(cmd *cobra.Command, _ []string) error {
	if f.join == "" {
		return fault.WithHint(fault.Usagef("which server shall be joined?"), "--join nats://HOST:4222")
	}
	if f.jobs < 0 || strings.ContainsAny(f.name, " .*>") {
		return fault.Usagef("--jobs wants a number from 1, --name a word without dots")
	}
	tools, err := toolchain.Probe(cmd.Context(), toolchain.Want{})
	if err != nil {
		return err
	}
	cache, err := disk.Cache("cluster")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "klabel-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	return campaign.Work(cmd.Context(), cluster.WorkerOptions{URL: f.join, Secret: f.secret, Slots: f.jobs,
		Version: versionText(), Cache: cache, Work: work, Once: f.once, Name: f.name,
		Note: func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s\n", fault.Visible(text)) }}, tools)
}

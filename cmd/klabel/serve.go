package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/report"
)

// serveFlags are the command line of serve.
type serveFlags struct {
	listen, token string
}

func newServeCmd() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Show an output directory in a browser, while a run goes on there",
		Long: `Serves the page of 'klabel report --format html' for an output directory. While
a run goes on there the page follows it: labels over time, what engines do,
tests as they come. Nothing in the directory is changed, and the run does not
wait.

The page is for this machine alone unless --listen names another address; then
who asks has to know a token, which is printed or given by --token.`,
		Example: `  klabel serve triangle.klabel
  klabel serve out --listen 0.0.0.0:8080 --token "$TOKEN"`,
		Args: cobra.ExactArgs(1),
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *serveFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0", "`address` to listen at; port 0: a free one")
	fs.StringVar(&f.token, "token", "", "`word` that who asks has to know (default: none on this machine, a "+
		"new one elsewhere)")
}

func (f *serveFlags) run(cmd *cobra.Command, args []string) error {
	dir := args[0]
	if _, err := campaign.LiveResult(dir); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return usageError(fmt.Errorf("--listen %q: want HOST:PORT", f.listen))
	}
	if f.token == "" && !report.Loopback(host) {
		f.token = rand.Text()
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String() + "/"
	if f.token != "" {
		address += "?token=" + f.token
	}
	fmt.Fprintf(cmd.OutOrStdout(), "serving %s at %s until interrupted\n", dir, address)
	here, _ := os.Getwd() // without it files are named in full
	s := &report.Server{Read: func() (*report.Result, error) { return campaign.LiveResult(dir) },
		Changed: func() string { return stamp(dir) }, Options: report.Options{Dir: here}, Token: f.token}
	return serve(cmd.Context(), l, s)
}

// serve answers until the context ends, which is how it is meant to end.
func serve(ctx context.Context, l net.Listener, s *report.Server) error {
	server := &http.Server{Handler: s.Handler(ctx), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if server.Shutdown(soon) != nil {
			server.Close()
		}
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stamp changes when the store or the summary does.
func stamp(dir string) string {
	out := ""
	for _, name := range []string{"klabel.db", "summary.json"} {
		if fi, err := os.Stat(filepath.Join(dir, name)); err == nil {
			out += fmt.Sprintf("%d %d ", fi.Size(), fi.ModTime().UnixNano())
		}
	}
	return out
}

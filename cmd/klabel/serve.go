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

	"klabel/campaign"
	"klabel/report"
)

func newServeCmd() *cobra.Command {
	var listen, token string
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Show an output directory in a browser, while a run goes on there",
		Long: `Serves the page of 'klabel report --format html' for an output directory. While a
run goes on there the page follows it: labels over time, what engines do, tests
as they come. Nothing in the directory is changed, and the run does not wait.

The page is for this machine alone unless --listen names another address; then
who asks has to know a token, which is printed or given by --token.`,
		Example: `  klabel serve triangle.klabel
  klabel serve out --listen 0.0.0.0:8080 --token "$TOKEN"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if _, err := campaign.LiveResult(dir); err != nil {
				return err
			}
			host, _, err := net.SplitHostPort(listen)
			if err != nil {
				return usageError(fmt.Errorf("--listen %q: want HOST:PORT", listen))
			}
			if token == "" && !report.Loopback(host) {
				token = rand.Text()
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			address := "http://" + l.Addr().String() + "/"
			if token != "" {
				address += "?token=" + token
			}
			fmt.Fprintf(cmd.OutOrStdout(), "serving %s at %s until interrupted\n", dir, address)
			here, _ := os.Getwd() // without it files are named in full
			s := &report.Server{Read: func() (*report.Result, error) { return campaign.LiveResult(dir) },
				Changed: func() string { return stamp(dir) }, Options: report.Options{Dir: here}, Token: token}
			return serve(cmd.Context(), l, s)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "`address` to listen at; port 0: a free one")
	cmd.Flags().StringVar(&token, "token", "", "`word` that who asks has to know (default: none on this machine, a "+
		"new one elsewhere)")
	return cmd
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

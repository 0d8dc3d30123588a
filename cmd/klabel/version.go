package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker for a release.
var version = "devel"

func newVersionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print klabel's version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			revision := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" && len(s.Value) >= 12 {
						revision = " (" + s.Value[:12] + ")"
					}
				}
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "klabel %s%s %s %s/%s\n", version, revision, runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

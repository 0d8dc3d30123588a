package main

import (
	"github.com/spf13/cobra"

	"klabel/engine/native"
	"klabel/fault"
)

// newNativeEngineCmd is the native engine's own process. It is hidden: package
// engine/native starts it, with flags that it reads itself.
func newNativeEngineCmd() *cobra.Command {
	return &cobra.Command{
		Use:                native.Subcommand,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := native.Main(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr()); code != 0 {
				return fault.WithCode(code, errSilent)
			}
			return nil
		},
	}
}

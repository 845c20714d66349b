package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"retrytax/internal/config"
	"retrytax/internal/ui"
)

const configName = "retrytax.yaml"

func newInitCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented retrytax.yaml to this folder",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("init: found %q, expected no argument: it writes %s to this folder", ui.Clean(args[0]), configName),
				Hint: "retrytax init, then mv " + configName + " to where it is to be; --config FILE uses it there"}
		},
		RunE: func(*cobra.Command, []string) error { return runInit(e.out) },
	}
}

// runInit never overwrites what is there.
func runInit(w io.Writer) error {
	f, err := os.OpenFile(configName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return &ui.Error{Code: ui.Failed, Msg: configName + ": found a file already, expected none", Hint: "rename it, or check it with retrytax config check"}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(config.Example())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		fmt.Fprintln(w, "wrote "+configName)
	}
	return err
}

func newConfigCommand(e env) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check a retrytax.yaml", Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	var file string
	check := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Read a retrytax.yaml and print what is in force, and from where",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if file != "" {
				args = []string{file}
			}
			return runConfigCheck(e.out, args)
		},
	}
	check.Flags().StringVar(&file, "config", "", "the file to check (default ./retrytax.yaml)")
	cmd.AddCommand(check)
	return cmd
}

// runConfigCheck exits with 3 where the file is at fault: that is what it was asked for.
func runConfigCheck(w io.Writer, args []string) error {
	name := configName
	if len(args) == 1 {
		name = args[0]
	}
	c, err := loadConfig(name)
	var problems config.Problems
	if errors.As(err, &problems) {
		return &ui.Error{Code: ui.Found, Err: err}
	}
	if err != nil {
		return err
	}
	for _, p := range append(c.Parameters(), c.NightlyParameters()...) {
		fmt.Fprintf(w, "%-44s %-24s %s\n", ui.Clean(p.Name), ui.Clean(p.Value), p.Origin)
	}
	return nil
}

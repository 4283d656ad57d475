package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"headless/pkg/db"
	"headless/pkg/rooms"
	"headless/scripts/cms/command"
)

func outboxCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "outbox", Short: "List and drop events that wait to be dispatched",
		Long: "List and drop events that wait to be dispatched. Most are there for less than a second. One that\n" +
			"stays, since nobody can read it, makes each sweep fail until it is dropped."}
	cmd.AddCommand(listOutboxCommand(), dropOutboxCommand())
	return cmd
}

func listOutboxCommand() *cobra.Command {
	var at store
	cmd := &cobra.Command{
		Use: "list", Short: "List the events", Args: cobra.NoArgs,
		Example: "  cms outbox list --table headless-Table-1A2B",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return at.withOutbox(cmd.Context(), func(_ *rooms.Stores, waiting []waiting) error {
				return printWaiting(command.Stdout, waiting)
			})
		},
	}
	at.flags(cmd)
	return cmd
}

func dropOutboxCommand() *cobra.Command {
	var at store
	cmd := &cobra.Command{
		Use: "drop ROW", Short: "Drop the events of a row: their webhooks and mails are never sent",
		Args:    cobra.ExactArgs(1),
		Example: "  cms outbox drop OUT#3/0192f4 --table headless-Table-1A2B",
		RunE: func(cmd *cobra.Command, args []string) error {
			return at.withOutbox(cmd.Context(), func(st *rooms.Stores, rows []waiting) error {
				i := slices.IndexFunc(rows, func(w waiting) bool { return w.row.Row() == args[0] })
				if i < 0 {
					return fmt.Errorf("no event waits in the row %s", args[0])
				}
				if err := st.DB.DropEvents(cmd.Context(), rows[i].row.Key); err != nil {
					return err
				}
				fmt.Fprintln(command.Stdout, "Dropped "+args[0])
				return nil
			})
		},
	}
	at.flags(cmd)
	return cmd
}

// waiting is a row of the outbox; err says why it cannot be read.
type waiting struct {
	row db.PendingEvents
	err error
}

// outboxLimit is the greatest number of rows that are listed.
const outboxLimit = 8000

// withOutbox calls use with the rows of a stored outbox.
func (s store) withOutbox(ctx context.Context, use func(*rooms.Stores, []waiting) error) error {
	return s.use(ctx, func(st *rooms.Stores) error {
		rows, err := st.DB.Outbox(ctx, outboxLimit)
		if err != nil {
			return err
		}
		list := make([]waiting, len(rows))
		for i, row := range rows {
			list[i].row, list[i].err = db.DecodePendingEvents(row)
		}
		return use(st, list)
	})
}

func printWaiting(out io.Writer, list []waiting) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ROW\tEVENT\tOCCURRED AT")
	for _, one := range list {
		if one.err != nil {
			fmt.Fprintf(w, "%s\tcannot be read\t\n", one.row.Row())
			continue
		}
		for _, e := range one.row.Events {
			fmt.Fprintf(w, "%s\t%s\t%s\n", one.row.Row(), e.Kind, e.OccurredAt)
		}
	}
	return w.Flush()
}

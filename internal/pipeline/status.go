package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"retrytax/internal/config"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/queries"
)

// openReading opens a database for reading only. Nothing is changed in it; one of another
// version, a foreign or a damaged file (*DatabaseError), and one that is in use
// (*InUseError), are refused.
func openReading(ctx context.Context, o store.Options) (*store.Store, error) {
	switch st, err := os.Stat(o.Path); {
	case err != nil:
		return nil, noDatabase(o.Path)
	case st.IsDir():
		return nil, folderError(o.Path)
	}
	o.ReadOnly = true
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, fileError(err)
	}
	if err := s.SpreadOverAll(ctx); err != nil {
		return nil, errors.Join(fileError(err), s.Close())
	}
	v, err := schemaVersion(ctx, s)
	switch {
	case err != nil:
		err = fileError(err)
	case v == 0:
		err = &DatabaseError{Path: o.Path, Found: "a database of something else, or one into which nothing was loaded", Expected: "one of retrytax",
			Advice: "retrytax ingest FILES… --db " + o.Path + " loads files"}
	case v > SchemaVersion:
		err = newerError(o.Path, v)
	case v < SchemaVersion:
		err = &DatabaseError{Path: o.Path, Found: fmt.Sprintf("a database of version %d", v), Expected: fmt.Sprintf("version %d", SchemaVersion),
			Advice: "the next retrytax ingest brings it to this version and keeps a copy of it"}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// ReadStatus tells what a database holds, what is missing, and what waits for reconcile.
// zone is that of the days; "" is the one of the last report, else UTC.
// c is the configuration to hold against that of the verdicts, and file its name; nil is none.
func ReadStatus(ctx context.Context, o store.Options, zone string, c *config.Config, file string) (x *report.Status, err error) {
	s, err := openReading(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if zone, err = statusZone(ctx, s, zone); err != nil {
		return nil, err
	}
	if err := setVariables(ctx, s, map[string]string{"report_zone": zone}); err != nil {
		return nil, err
	}
	if err := verdictsOfAll(ctx, s, zone); err != nil {
		return nil, fileError(err)
	}
	judged, err := s.Int(ctx, "SELECT (SELECT count(*) FROM duckdb_tables() WHERE table_name = 'fct_verdicts') + (SELECT count(*) FROM duckdb_views() WHERE view_name = 'fct_verdicts')")
	if err != nil {
		return nil, err
	}
	for _, f := range queries.In(queries.Status) {
		if judged == 0 && f.Name() == "rpt_settled_rows" {
			continue
		}
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return nil, fileError(err)
		}
	}
	if x, err = report.ReadStatus(ctx, s); err != nil {
		return nil, fileError(err)
	}
	x.Database, x.Zone = o.Path, zone
	if c != nil {
		if x.OtherConfig, err = otherConfig(ctx, s, c); err != nil {
			return nil, fileError(err)
		}
	}
	if x.ConfigFile, err = lastConfig(ctx, s, file); err != nil {
		return nil, fileError(err)
	}
	if st, err := os.Stat(o.Path); err == nil {
		x.Bytes = st.Size()
	}
	if judged > 0 {
		err = x.ReadSettled(ctx, s)
	}
	return x, err
}

func statusZone(ctx context.Context, s *store.Store, zone string) (string, error) {
	if zone == "" {
		var kept []string
		err := s.Query(ctx, "SELECT value FROM src_settings WHERE name = 'report_zone' AND value IS NOT NULL", scanText(&kept))
		if err != nil {
			return "", fileError(err)
		}
		if zone = "UTC"; len(kept) > 0 {
			zone = kept[len(kept)-1]
		}
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return "", fmt.Errorf("zone: found %q, expected a name such as Asia/Shanghai", zone)
	}
	return zone, nil
}

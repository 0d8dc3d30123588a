package klee

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"klabel/disk"

	_ "modernc.org/sqlite" // the format of run.stats
)

// statsRow is the last row of run.stats. Columns differ between releases.
type statsRow map[string]int64

func (s statsRow) count(column string) uint64 {
	if n := s[column]; n > 0 {
		return uint64(n)
	}
	return 0
}

// terminations are the columns (since 3.0) that count how paths ended. The
// lossy ones are paths that KLEE gave up, not the program.
var (
	terminations = []string{
		"TerminationExit", "TerminationEarly", "TerminationSolverError", "TerminationProgramError",
		"TerminationUserError",
		"TerminationExecutionError", "TerminationEarlyAlgorithm", "TerminationEarlyUser",
	}
	lossy = []struct{ column, note string }{
		{"TerminationEarly", "paths ended early (memory, depth or stack limit)"},
		{"TerminationSolverError", "paths ended because the solver failed or ran out of time"},
		{"TerminationExecutionError", "paths ended at something that KLEE cannot execute"},
		{"TerminationEarlyAlgorithm", "paths ended by merging or replaying"},
		{"InhibitedForks", "forks were left out"},
	}
)

func (s statsRow) paths() (n uint64) {
	for _, c := range terminations {
		n += s.count(c)
	}
	return n
}

// countsTerminations is false for releases before 3.0.
func (s statsRow) countsTerminations() bool { _, ok := s["TerminationExit"]; return ok }

var errNoStats = errors.New("run.stats holds no row")

// readRunStats reads the last row of run.stats. A KLEE that was killed leaves
// the newest rows in the write-ahead log, which can be read only through the
// shared-memory file that SQLite keeps with it; where the directory cannot be
// written at the end of a run, a private copy is read.
func readRunStats(dir string, final bool) (statsRow, error) {
	file := filepath.Join(dir, "run.stats")
	if _, err := os.Stat(file); err != nil {
		return nil, err // asked first: SQLite's driver is slow to say so
	}
	if !final {
		return lastRow(file, "mode=ro")
	}
	// Nobody else has it open now: reading with the right to write moves the log
	// into the database and leaves one file, as a KLEE that was not watched does.
	row, err := lastRow(file, "mode=rw")
	if err == nil {
		return row, nil
	}
	tmp, terr := os.MkdirTemp("", "klabel-stats-")
	if terr != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, suffix := range []string{"", "-wal"} {
		if cerr := disk.Copy(file+suffix, filepath.Join(tmp, "run.stats"+suffix)); cerr != nil && suffix == "" {
			return nil, err
		}
	}
	return lastRow(filepath.Join(tmp, "run.stats"), "mode=rw")
}

func lastRow(file, mode string) (statsRow, error) {
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: absolute(file),
		RawQuery: mode + "&_pragma=busy_timeout(200)"}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT * FROM stats ORDER BY rowid DESC LIMIT 1")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	if !rows.Next() {
		return nil, errors.Join(errNoStats, rows.Err())
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, err
	}
	row := statsRow{}
	for i, c := range columns {
		switch v := values[i].(type) {
		case int64:
			row[c] = v
		case float64:
			row[c] = int64(v)
		}
	}
	return row, nil
}

package label

import "fmt"

// Status says what is known of a label. Its numeric values are those of the
// live view's bytes, which C code reads: runtime_c/covered.c must agree.
type Status uint8

// The statuses of a label.
const (
	Unknown    Status = 0 // nothing is known yet
	Covered    Status = 1 // a replay that ended normally satisfied it
	Pending    Status = 2 // an engine has written a test for it; the replay is due (live view only)
	Infeasible Status = 3 // proved: no input satisfies it
	Deselected Status = 4 // the user does not want it in this campaign
	Duplicate  Status = 5 // covered exactly when another label is
	Subsumed   Status = 6 // covered whenever another label is
	Refused    Status = 7 // a replay did not confirm a test for it: unknown, and never pending again (live view only)
)

var statusNames = [...]string{"unknown", "covered", "pending", "infeasible", "deselected", "duplicate", "subsumed",
	"refused"}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status %d", uint8(s))
}

// ParseStatus reads a status name. "uncoverable" and "unreachable", the words
// of LTest's label files, are read as Infeasible.
func ParseStatus(s string) (Status, error) {
	switch s {
	case "uncoverable", "unreachable":
		return Infeasible, nil
	}
	for i, n := range statusNames {
		if n == s {
			return Status(i), nil
		}
	}
	return Unknown, fmt.Errorf("unknown label status %q", s)
}

// Resolved reports whether an engine need not spend effort on the label.
func (s Status) Resolved() bool { return s != Pending && !s.Open() }

// Open reports whether an engine should write a test for the label.
func (s Status) Open() bool { return s == Unknown || s == Refused }

// MarshalText and UnmarshalText write and read the name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a status.
func (s *Status) UnmarshalText(b []byte) (err error) { *s, err = ParseStatus(string(b)); return err }

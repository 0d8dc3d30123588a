package ctests

import (
	"fmt"
	"time"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
	"klabel/toolchain"
)

// Style is a test framework.
type Style string

// The styles.
const (
	Plain  Style = "plain" // no framework: the runner is a program of its own
	CMocka Style = "cmocka"
	Unity  Style = "unity"
	Check  Style = "check"

	// In C++, with the tests in C beside it.
	GoogleTest Style = "googletest"
	CppUTest   Style = "cpputest"
)

// Styles lists them all.
var Styles = []Style{Plain, CMocka, Unity, Check, GoogleTest, CppUTest}

// ParseStyle reads the name of a style.
func ParseStyle(s string) (Style, error) {
	for _, x := range Styles {
		if string(x) == s {
			return x, nil
		}
	}
	return "", fmt.Errorf("unknown style %q: want plain, cmocka, unity, check, googletest or cpputest", s)
}

// Oracles, beside the name of a function of the user's.
const (
	Observed = "observed" // check what the program did when the test was written
	None     = "none"     // check nothing
)

// Case is a test to write.
type Case struct {
	Number int // of the test, unique among all
	Test   *ktest.Test
	Labels []label.Label // that it covers
	// Driver describes the inputs of the entry that the test is for, where it is
	// another one than that of the options.
	Driver *input.Driver
	// Declare says that a linked test declares the function, and the globals, itself.
	Declare bool
	Error   string // that the test is known to end in, "" for none
	Exit    int    // with which its replay ended: where an entry is called, the program has called exit; 0 for none
	Entry   string // the entry's name as people see it, such as "push+state"; "" for the driver's function
}

// Options say what is tested and how tests are written.
type Options struct {
	Style  Style
	Oracle string
	// Source is the file under test as the user named it; Include is what the
	// runner writes after #include, found from the folder of the tests.
	Source, Include string
	// Driver describes the inputs of a generated driver; nil for a program with
	// a main function of its own.
	Driver *input.Driver
	// Objects are, for such a program, the types of the inputs that it asks for
	// by name.
	Objects map[string]*input.Type
	// Defines names the functions that the source defines.
	Defines map[string]bool
	// LabelMacros are those that the source mentions.
	LabelMacros []string
	// LabelFunctions are label macros that the source declares as functions.
	LabelFunctions []string
	// Flags are those that the source is compiled with, Sources the other files
	// that the program consists of; paths are taken from the folder of the tests.
	Flags   toolchain.Flags
	Sources []string
	// Own are, of Sources, the flags of those that are compiled with others than Flags.
	Own map[string]toolchain.Flags
	// Apart are names of the source that another file defines for its own: they are
	// others in the tests.
	Apart []string
	// Hides are names of the source that headers declare otherwise: they are others
	// but where those are included, and where what ships calls the library.
	Hides []string
	// Undeclared are functions, of no file of the program, that the source calls and nothing declares.
	Undeclared []string
	// Redeclares are functions of the library that the source declares in its own words: headers that come
	// after it do not.
	Redeclares []string
	// HidesTypes are such names of types: stubs know the source's ones, too.
	HidesTypes []string
	// MainParams is the number of parameters of that main function.
	MainParams int
	// Observe runs the runner, built to record, with arguments and returns what
	// it prints; without arguments it is built alone. nil leaves the oracle out.
	// Recorder gives a usual one.
	Observe func(runner string, args []string) ([]byte, error)
	// TestTimeout is how long a replay of a test may take. A test as C has as much of a processor when it is
	// recorded, and 2 s at least.
	TestTimeout time.Duration
	// Linked tests are linked with the source's object, and do not include it; see
	// Linkable.
	Linked bool
	// Name is the program's where build systems want one; "" for test_SOURCE.
	Name string
	// EachFunction makes a program of the tests of each function, in a folder below.
	EachFunction bool
	// Wrote is told every folder in which a program was written.
	Wrote func(dir string)
	// Called are the names of functions that some file of the program calls.
	Called map[string]bool
	// Filing are the functions of the source that may make, look for or change files.
	Filing map[string]bool
	// Lacks are names that other files of the program mention and no file defines, as far as the sources tell: what is
	// written and not built has weak stand-ins for them.
	Lacks []string
	// Stubs say, by name, what drivers of other files let functions return that no file has.
	Stubs map[string]*input.Call
	// missing are names that other files of the program need and no file has.
	missing []string
	// Remark is told what a person should know of tests that were written.
	Remark func(text string)
	// Format formats files of C where they are; nil leaves them as they are written. Where it
	// fails they stay so, too, and it has told whom it concerns.
	Format func(files []string) error

	separate bool // the source is a file of its own; see Separate

	asks    bool   // the source asks for inputs itself
	text    string // of the source
	headers string // the folder with headers of klabel's; "" where none are needed
}

// driver is what the inputs of a case are described by; nil for the program
// itself.
func (o *Options) driver(c Case) *input.Driver {
	if c.Driver != nil {
		return c.Driver
	}
	return o.Driver
}

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cLine is a line that nothing but C has: a directive, or what ends in a
// semicolon or opens or closes a block.
var cLine = regexp.MustCompile(`^\s*#\s*(include|define|undef|if|ifdef|ifndef|else|endif|pragma)\b|[;{}\\]\s*(/\*.*\*/)?$`)

// verb is where a program's own names or numbers go.
var verb = regexp.MustCompile(`%(\[\d\])?[dsq]`)

// notShipped are texts that no compiler of the user's sees: what the parser is told
// in place of clang's own definitions, and help.
var notShipped = []string{"../csource/translate.go", "../cmd/klabel/topics.go"}

// TestShippedCStandsInFiles checks that Go's strings hold no fixed C of more than
// three lines, the head of a function, and no C that is filled in of more than five:
// what is fixed stands in runtime_c, where compilers and the style test see it.
func TestShippedCStandsInFiles(t *testing.T) {
	const most, filled = 3, 5
	seen := 0
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			slices.Contains(notShipped, path) {
			return err
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := literal(e)
			if !ok {
				return true
			}
			seen++
			lines := 0
			for _, l := range strings.Split(text, "\n") {
				if cLine.MatchString(l) {
					lines++
				}
			}
			if lines > filled || lines > most && !verb.MatchString(text) {
				t.Errorf("%s: %d lines of C in a string: %.60q", files.Position(e.Pos()), lines, text)
			}
			return false
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 1000 {
		t.Errorf("only %d strings were seen", seen)
	}
}

// literal is a string, or several that are joined.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return literal(e.X)
	case *ast.BinaryExpr:
		a, okA := literal(e.X)
		b, okB := literal(e.Y)
		return a + b, okA && okB && e.Op == token.ADD
	}
	return "", false
}

package replayer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/toolchain"
)

// Entry is a way into the program beside its own main.
type Entry struct {
	Number int    // from 1, unique in the program
	Symbol string // the C function void SYMBOL(void), of external linkage
	Name   string // what people see; a test replayed by hand names it in its first argument
}

// ByName as the number of an entry is the one that the test itself names in its
// first argument, main if that is no entry's name.
const ByName = -1

// buildEntries compiles the table of entries into the object out; runtime holds
// the files of the replay runtime.
func buildEntries(ctx context.Context, clang *toolchain.Clang, entries []Entry, out string, runtime,
	flags []string) error {
	table := strings.TrimSuffix(out, ".o") + ".c"
	if err := os.WriteFile(table, entryTable(entries), 0o666); err != nil {
		return fmt.Errorf("building the table of entries: %w", err)
	}
	flags = append([]string{"-c", "-I" + filepath.Dir(runtime[0])}, flags...)
	if err := clang.Executable(ctx, []string{table}, out, flags); err != nil {
		return fmt.Errorf("building the table of entries: %w", err)
	}
	return nil
}

// entryTable is the C text of the table that runtime_c/replay looks entries up in.
func entryTable(entries []Entry) []byte {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return cmp.Compare(a.Number, b.Number) })
	var b bytes.Buffer
	b.WriteString("#include \"replay.h\"\n\n")
	for _, e := range sorted {
		fmt.Fprintf(&b, "void %s(void);\n", e.Symbol)
	}
	b.WriteString("\nconst struct klabel_entry klabel_entries[] = {\n")
	for _, e := range sorted {
		fmt.Fprintf(&b, "    {%d, %s, %s},\n", e.Number, cString(e.Name), e.Symbol)
	}
	fmt.Fprintf(&b, "};\nconst uint32_t klabel_entry_count = %d;\n", len(sorted))
	return b.Bytes()
}

// cString writes a C string literal: what is not plain ASCII as three octal
// digits, which no following digit can lengthen, and ? so that no trigraph arises.
func cString(s string) string {
	var b bytes.Buffer
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

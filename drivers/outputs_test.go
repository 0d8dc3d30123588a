package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Who writes a text into memory that it is lent gets as much of it as that takes.
func TestMemoryForTexts(t *testing.T) {
	const text = `
#include <stdio.h>
#include <string.h>
#include <unistd.h>
enum { ROOM = 80 };
static const char names[3][24];
int put(char *out, const char *s, int k)
{
    char line[48] = "";
    WRITE;
    return k ? line[0] : 0;
}
`
	for write, room := range map[string]string{
		"snprintf(out, 100, s)":                        "[109]",
		"strncpy(out + 4, s, ROOM)":                    "[93]",
		"read(k, (void *)out, sizeof line)":            "[57]",
		"strcpy(out, k ? names[1] : line)":             "[57]",
		`strcat(out, "a text of its own")`:             "[27]",
		"strcpy(&out[2], k ? s : line)":                "[9]",
		`sprintf(out, "%d: %s%%", k, line)`:            "[85]", // 8 of the format, 20 and 48
		`sprintf(out, "%-3c%s, of course, n", k, s)`:   "[39]", // 21 of the format, 1 and 8
		"snprintf(line, 40, \"%s\", out ? out : s)":    "[9]",
		"fgets(out, k, stdin)":                         "[9]",
		"memcpy(out, names, sizeof names), out[3] = k": "[33]", // a text that is read as far, within limits
	} {
		e := entryOf(t, strings.ReplaceAll(text, "WRITE", write), "put", drivers.Arguments)
		if !strings.Contains(e, "(*out_text)"+room+";") {
			t.Errorf("%s, which takes %s:\n%s", write, room, e)
		}
	}
	if e := entryOf(t, strings.ReplaceAll(text, "WRITE", "snprintf(out, 100, s)"), "put", drivers.Arguments); !strings.
		Contains(e, "(*out_text)[8] = 0;") {
		t.Errorf("the text in it is longer than others:\n%s", e)
	}
}

// Structures without pointers are as many as a function sets.
func TestManyStructures(t *testing.T) {
	const text = `
#include <string.h>
struct word { char text[51]; int count; };
struct list { struct word *first; int n; };
void words(struct word *w) { memset(w, 0, sizeof *w * 20); w[1].count = 1; }
void lists(struct list *l) { memset(l, 0, sizeof *l * 40); l[1].n = 1; }
`
	if e := entryOf(t, text, "words", drivers.Arguments); !strings.Contains(e, "(*w_items)[20];") {
		t.Errorf("not 20:\n%s", e)
	}
	if e := entryOf(t, text, "lists", drivers.Arguments); strings.Contains(e, "(*l_items)[40];") {
		t.Errorf("each of 40 leads to others:\n%s", e)
	}
}

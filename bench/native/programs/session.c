/* The state of a protocol's session: a table, a list on the heap, a text that grows,
   and handlers that call each other; each byte of the input may change all of them. */
#include "klee/klee.h"

#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    unsigned key;
    char name[12];
};

struct session {
    unsigned counts[16];
    struct item *items;
    char log[256];
    unsigned used;
    unsigned char window[2048];
};

static void note(struct session *s, const char *text)
{
    size_t n = strlen(text);

    if (s->used + n < sizeof s->log) {
        memcpy(s->log + s->used, text, n);
        s->used += n;
    }
}

static void add(struct session *s, unsigned key)
{
    struct item *it = malloc(sizeof *it);

    if (it == NULL)
        return;
    it->key = key;
    strcpy(it->name, "item");
    it->next = s->items;
    s->items = it;
    note(s, "add;");
}

static void handle(struct session *s, unsigned char byte, unsigned round)
{
    unsigned char local[32];

    memset(local, (int)round, sizeof local);
    s->window[round * 97 % sizeof s->window] = byte;
    s->counts[round % 16]++;
    if (byte & 0x40) {
        add(s, round);
        s->window[round * 31 % sizeof s->window] = local[round % 32];
    } else {
        note(s, "skip;");
    }
}

static int serve(struct session *s, const unsigned char *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        handle(s, in[i], i);
    klee_warning_once("all states are there");
    return s->used > 9;
}

int main(void)
{
    static struct session session;
    unsigned char in[ROUNDS];

    klee_make_symbolic(in, sizeof in, "in");
    return serve(&session, in, ROUNDS);
}

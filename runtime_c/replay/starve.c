/* A program that asks again and again at the end of its input, or where scanf finds
 * nothing that it could take, does so for ever, most likely: a menu that is left by an
 * answer of its own. Such a run ends as one out of time, long before its time is up:
 * when reads in a row that got nothing, and what the program does between them, have
 * taken some of the processor's time. (Thousands of them alone are an array that is
 * read.) klabel knows it by what it says. So ends a run, too, that asks for ever for
 * inputs beyond those of its test: the server makes up others then, and none in the end.
 */
#include "replay.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    FEW = 64,
    STARVES_MS = 40, /* of the processor, with reads */
    STARVED_MS = 10, /* where other runs have starved */
    BEYOND_MS = 192, /* with inputs beyond the test: large arrays are */
    LEAST_MS = 3,    /* where no run has ended so */
    OTHERS = 16,     /* and with other fillings than the first a part of it */
    FILLINGS = 8     /* ways to make up inputs; the one of this number makes none */
};

struct row {
    unsigned n;
    long long since; /* of the first of them */
};
static struct row fruitless, beyond;
static unsigned starves_ms = STARVES_MS;
static const char starves[] = "reads on and on where there is nothing to read";

static long long processor_time(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return 0;
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int takes_long(struct row *r, unsigned ms)
{
    if (klabel_run.by_hand || klabel_run.shm == NULL)
        return 0;
    if (++r->n == 1)
        r->since = processor_time();
    return r->n % FEW == 0 && processor_time() - r->since > ms * 1000000LL;
}

void klabel_asked_beyond(void)
{
    if (klabel_run.fill == FILLINGS || takes_long(&beyond, klabel_run.beyond_ms))
        klabel_stop(END_TIMEOUT, "reads on and on beyond the inputs of the test");
}

/* The filling that has ended a run which goes on and on with others is the first for
 * the next test. Where none ends one, the test's own inputs are all that it gets, and the
 * next one's time is shorter. */
static struct {
    unsigned first, tried, ms;
    int on_and_on;
} filling = {0, 0, BEYOND_MS, 0};

void klabel_first_filling(void)
{
    filling.tried = 0;
    filling.on_and_on = 0;
    klabel_run.fill = filling.first;
    klabel_run.beyond_ms = filling.ms;
}

int klabel_next_filling(int on_and_on)
{
    unsigned part = filling.ms / OTHERS;

    if (on_and_on) {
        filling.on_and_on = 1;
        klabel_run.beyond_ms = part > LEAST_MS ? part : LEAST_MS;
    }
    if (++filling.tried > FILLINGS || (filling.tried == FILLINGS && !filling.on_and_on))
        return 0;
    klabel_run.fill = filling.tried < FILLINGS
                          ? (filling.first + filling.tried) % FILLINGS
                          : FILLINGS;
    return 1;
}

void klabel_end_filling(int ended)
{
    if (!filling.on_and_on)
        return;
    if (klabel_run.fill == FILLINGS) {
        filling.ms = filling.ms / 2 > LEAST_MS ? filling.ms / 2 : LEAST_MS;
    } else if (ended) {
        filling.first = klabel_run.fill;
        filling.ms = BEYOND_MS;
    }
}

/* The more runs have starved, the sooner the next one does. */
void klabel_ran(const struct klabel_shm *s)
{
    if (s->end == END_TIMEOUT && strcmp(s->reason, starves) == 0)
        starves_ms = starves_ms / 2 > STARVED_MS ? starves_ms / 2 : STARVED_MS;
}

void klabel_read_something(int got)
{
    if (got) {
        fruitless.n = 0;
    } else if (takes_long(&fruitless, starves_ms)) {
        off_t at = ftello(stdin);

        klabel_run.shm->read_to = at > 0 ? (uint32_t)at : 0;
        klabel_stop(END_TIMEOUT, starves);
    }
}

#define READ_IS_WRAPPED
#include "reading.h"

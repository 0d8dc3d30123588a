/* A program that asks again and again at the end of its input, or where scanf finds
 * nothing that it could take, does so for ever, most likely: a menu that is left by an
 * answer of its own. Such a run ends as one out of time, long before its time is up:
 * when reads in a row that got nothing, and what the program does between them, have
 * taken some of the processor's time. (Thousands of them alone are an array that is
 * read.) klabel knows it by what it says.
 */
#include "replay.h"

#include <stdio.h>
#include <time.h>

enum { FEW = 64, LONG_NS = 40000000 };

static unsigned fruitless;
static long long since; /* of the first of them */

static long long processor_time(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return 0;
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void klabel_read_something(int got)
{
    if (got || klabel_run.by_hand || klabel_run.shm == NULL) {
        fruitless = 0;
        return;
    }
    if (++fruitless == 1)
        since = processor_time();
    if (fruitless % FEW == 0 && processor_time() - since > LONG_NS) {
        off_t at = ftello(stdin);

        klabel_run.shm->read_to = at > 0 ? (uint32_t)at : 0;
        klabel_stop(END_TIMEOUT, "reads on and on where there is nothing to read");
    }
}

#define READ_IS_WRAPPED
#include "reading.h"

/* A program that asks again and again at the end of its input, or where scanf finds
 * nothing that it could take, does so for ever, most likely. Such a run is ended long
 * before its time is up.
 */
#include "fuzz.h"

#include "../replay/reading.h"

enum { MOST = 1024, LEAST = 64 };

static unsigned fruitless, allowed = MOST, counted;

void klabel_fuzz_begin_reading(void)
{
    fruitless = 0;
}

unsigned klabel_fuzz_starved(void)
{
    return counted;
}

/* The more runs are ended, the sooner. */
void klabel_read_something(int got)
{
    if (got) {
        fruitless = 0;
    } else if (++fruitless > allowed && klabel_fuzz_running) {
        counted++;
        if (allowed > LEAST)
            allowed -= allowed / 4;
        klabel_fuzz_end(END_STARVED);
    }
}

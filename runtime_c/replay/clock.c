/* The time that a program is told: a clock that begins at the same moment in each run,
 * and goes on by a thousandth of a second whenever somebody looks at it. Most programs that
 * ask what time it is seed rand with it; replayed again, a test would be another
 * one. Who waits for a moment comes to it by looking. The linker leads the program's
 * calls here (--wrap). Clocks that are asked for by number tell the true time.
 */
#include "replay.h"

#include <sys/time.h>
#include <time.h>

enum { BEGINS = 1500000000 }; /* July 2017 */

static long looks;

time_t __wrap_time(time_t *to);
time_t __wrap_time(time_t *to)
{
    time_t now = BEGINS + ++looks / 1000;

    if (to != NULL)
        *to = now;
    return now;
}

clock_t __wrap_clock(void);
clock_t __wrap_clock(void)
{
    return ++looks * (CLOCKS_PER_SEC / 1000);
}

int __wrap_gettimeofday(struct timeval *now, void *zone);
int __wrap_gettimeofday(struct timeval *now, void *zone)
{
    struct timezone *z = zone;

    looks++;
    if (now != NULL) {
        now->tv_sec = BEGINS + looks / 1000;
        now->tv_usec = looks % 1000 * 1000;
    }
    if (z != NULL)
        z->tz_minuteswest = z->tz_dsttime = 0;
    return 0;
}

/* Hard spots: a state machine that needs long sequences of the right events. */
#include "klee/klee.h"

enum state { IDLE, HELLO, LOGIN, READY, SENDING, PAUSED, CLOSING, BROKEN };
enum { EVENTS = 40 };

static int retries, sent, level;

static enum state step(enum state s, unsigned char e)
{
    switch (s) {
    case IDLE:
        return e == 'H' ? HELLO : IDLE;
    case HELLO:
        if (e == 'L')
            return LOGIN;
        return e == 'X' ? BROKEN : IDLE;
    case LOGIN:
        if (e == 'P' && ++level == 3)
            return READY;
        return e == 'P' ? LOGIN : IDLE;
    case READY:
        if (e == 'S')
            return SENDING;
        return e == 'Q' ? CLOSING : READY;
    case SENDING:
        if (e == '!' && sent >= 8)
            return CLOSING;
        if (e == 'p')
            return PAUSED;
        if (e >= '0' && e <= '9') {
            sent++;
            return SENDING;
        }
        retries++;
        return retries > 3 ? BROKEN : READY;
    case PAUSED:
        return e == 'r' ? SENDING : PAUSED;
    case CLOSING:
        return e == 'H' && sent > 10 ? HELLO : CLOSING;
    default:
        return BROKEN;
    }
}

int main(void)
{
    unsigned char events[EVENTS];
    enum state s = IDLE;

    klee_make_symbolic(events, sizeof events, "events");
    for (int i = 0; i < EVENTS; i++)
        s = step(s, events[i]);
    if (s == CLOSING && sent >= 9)
        return 1;
    if (s == BROKEN && retries > 3 && sent > 2)
        return 2;
    if (s == PAUSED && level > 3)
        return 3;
    if (s == HELLO && sent > 10)
        return 4;
    return 0;
}

/* A session of a line protocol: frames of a type, a length, a sequence number and
 * a checksum move a state machine.
 */
#include "klee/klee.h"

enum { FRAMES = 5 };
enum state { CLOSED, GREETED, AUTHENTICATED, TRANSFER, DRAINING, BROKEN };

struct frame {
    unsigned char type, length, sequence, check;
};

struct session {
    enum state state;
    unsigned expected, window, received, retries, credits;
    int secure;
};

static int valid(const struct frame *f)
{
    unsigned char sum = (unsigned char)(f->type ^ f->length ^ (f->sequence + 1));

    return f->check == sum || (f->type == 0x7f && f->check == 0xff);
}

static void step(struct session *s, const struct frame *f)
{
    if (!valid(f)) {
        s->retries++;
        if (s->retries > 2 && s->state != CLOSED)
            s->state = BROKEN;
        return;
    }
    if (f->sequence != s->expected && f->type != 0x10 && !(s->state == DRAINING && f->type == 0x30)) {
        s->retries++;
        return;
    }
    s->expected = (s->expected + 1) & 7;
    switch (s->state) {
    case CLOSED:
        if (f->type == 0x10 && f->length >= 4 && f->length <= 64) {
            s->state = GREETED;
            s->window = f->length;
            s->secure = f->length > 32 && (f->length & 1);
        }
        break;
    case GREETED:
        if (f->type == 0x11 && (!s->secure || f->length == 16))
            s->state = AUTHENTICATED;
        else if (f->type == 0x12 && s->retries == 0 && f->length < 8)
            s->secure = 0;
        else if (f->type == 0x7f)
            s->state = CLOSED;
        break;
    case AUTHENTICATED:
        if (f->type == 0x20 && f->length <= s->window && f->length > 0) {
            s->credits = f->length / 2;
            s->state = TRANSFER;
        } else if (f->type == 0x21 && (f->length == 0 || s->secure))
            s->state = DRAINING;
        break;
    case TRANSFER:
        if (f->type == 0x22 && s->credits > 0 && s->received + f->length <= s->window) {
            s->credits--;
            s->received += f->length;
            if (s->received == s->window || (s->credits == 0 && s->received > 20))
                s->state = DRAINING;
        } else if (f->type == 0x23 && f->length > s->credits && !s->secure)
            s->credits = f->length;
        else if (f->type == 0x7f || (f->type == 0x21 && s->received == 0))
            s->state = BROKEN;
        break;
    case DRAINING:
        if (f->type == 0x30 && (s->received > 40 || s->retries == 1))
            s->state = CLOSED;
        else if (f->type == 0x31 && f->length == s->received && s->received != 0)
            s->state = AUTHENTICATED;
        break;
    case BROKEN:
        if (f->type == 0x10 && f->length == 99 && s->retries < 3)
            s->state = CLOSED;
        break;
    }
}

int main(void)
{
    struct frame frames[FRAMES];
    struct session s = {CLOSED, 0, 0, 0, 0, 0, 0};
    int i;

    klee_make_symbolic(frames, sizeof frames, "frames");
    for (i = 0; i < FRAMES; i++)
        step(&s, &frames[i]);
    return (int)s.state;
}

/* Random numbers of the mutators: the same ones after the same seed. */
#include "fuzz.h"

static uint64_t state;

uint32_t klabel_fuzz_draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

uint32_t klabel_fuzz_below(uint32_t n)
{
    return (uint32_t)((uint64_t)klabel_fuzz_draw() * n >> 32);
}

void klabel_fuzz_seed(unsigned seed)
{
    state = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1;
    if (state == 0)
        state = 1;
    klabel_fuzz_draw();
}

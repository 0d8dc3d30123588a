/* Threads, of which each runs to its end where it is made, and what keeps them apart: no lock is
 * ever taken by another one. */
#include "libc.h"

/* What a thread keeps under a key: there is one thread at a time, and each begins with nothing. */
#define MOST_KEYS 32
static const void *kept[MOST_KEYS];
static unsigned keys;

/* One order of many. */
#define MOST_THREADS 64
static void *results[MOST_THREADS];
static unsigned long threads;
int pthread_create(unsigned long *id, const void *attributes, void *(*run)(void *), void *argument)
{
    const void *mine[MOST_KEYS];
    unsigned long me = threads;
    unsigned i;
    (void)attributes;
    klabel_gap("threads run one after another");
    if (me == MOST_THREADS) return 11;
    *id = ++threads;
    for (i = 0; i < MOST_KEYS; i++) {
        mine[i] = kept[i];
        kept[i] = NULL;
    }
    results[me] = run(argument);
    for (i = 0; i < MOST_KEYS; i++) kept[i] = mine[i];
    return 0;
}
int pthread_join(unsigned long id, void **result)
{
    if (id == 0 || id > threads) return 3;
    if (result) *result = results[id - 1];
    return 0;
}
int pthread_detach(unsigned long id) { return id == 0 || id > threads ? 3 : 0; }
unsigned long pthread_self(void)
{
    klabel_gap("the number of a thread");
    return 1000;
}
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

static int done(void)
{
    klabel_gap("locks are always free");
    return 0;
}
static int made(void)
{
    klabel_gap("what threads need can always be made and set");
    return 0;
}
#define DONE(name) \
    int pthread_##name(void *p) \
    { \
        (void)p; \
        return done(); \
    }
#define DONE2(name) \
    int pthread_##name(void *p, const void *q) \
    { \
        (void)p; \
        (void)q; \
        return made(); \
    }
#define SET(name, type) \
    int pthread_##name(void *p, type value) \
    { \
        (void)p; \
        (void)value; \
        return made(); \
    }
DONE(mutex_lock) DONE(mutex_trylock) DONE(mutex_unlock) DONE(mutex_destroy) DONE(cond_signal) DONE(cond_broadcast)
DONE(cond_destroy) DONE(attr_init) DONE(attr_destroy) DONE(mutexattr_init) DONE(mutexattr_destroy) DONE(spin_lock)
DONE(spin_trylock) DONE(spin_unlock) DONE(spin_destroy) DONE(rwlock_rdlock) DONE(rwlock_wrlock) DONE(rwlock_tryrdlock)
DONE(rwlock_trywrlock) DONE(rwlock_unlock) DONE(rwlock_destroy) DONE(rwlockattr_init) DONE(rwlockattr_destroy)
DONE(condattr_init) DONE(condattr_destroy)
DONE2(mutex_init) DONE2(cond_init) DONE2(rwlock_init)
SET(spin_init, int) SET(mutexattr_settype, int) SET(mutexattr_setpshared, int) SET(mutexattr_setprotocol, int)
SET(mutexattr_setrobust, int) SET(condattr_setclock, int) SET(condattr_setpshared, int)
SET(attr_setdetachstate, int) SET(attr_setscope, int) SET(attr_setstacksize, unsigned long)

int pthread_mutex_timedlock(void *mutex, const void *until)
{
    (void)mutex;
    (void)until;
    return done();
}

/* Nobody else can change what is waited for. */
int pthread_cond_wait(void *condition, void *mutex)
{
    (void)condition;
    (void)mutex;
    klabel_gap("waiting for another thread ends at once");
    return 0;
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *until)
{
    (void)until;
    return pthread_cond_wait(condition, mutex);
}

int pthread_once(int *once, void (*run)(void))
{
    if (*once == 0) {
        *once = 2; /* glibc's: it has run */
        run();
    }
    return 0;
}

int pthread_key_create(unsigned *key, void (*destroy)(void *))
{
    if (destroy) klabel_gap("what threads keep is not destroyed");
    if (keys == MOST_KEYS) {
        klabel_gap("so many keys");
        return 11;
    }
    *key = keys++;
    return made();
}
int pthread_key_delete(unsigned key) { return key < keys ? 0 : 22; }
void *pthread_getspecific(unsigned key) { return key < keys ? (void *)kept[key] : NULL; }
int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= keys) return 22;
    kept[key] = value;
    return made();
}

/* A semaphore's value is in the first four bytes of a sem_t, as glibc has it. */
#define MOST_TIMES 0x7fffffffu
int sem_init(unsigned *s, int shared, unsigned value)
{
    (void)shared;
    if (value > MOST_TIMES) return klabel_error(22);
    *s = value;
    return 0;
}
int sem_post(unsigned *s)
{
    if (*s >= MOST_TIMES) return klabel_error(75);
    ++*s;
    return 0;
}
int sem_trywait(unsigned *s)
{
    if (*s == 0) return klabel_error(11);
    --*s;
    return 0;
}
int sem_wait(unsigned *s)
{
    if (*s == 0) {
        klabel_gap("waiting for another thread ends at once");
        return 0;
    }
    --*s;
    return 0;
}
int sem_getvalue(unsigned *s, int *value)
{
    *value = (int)*s;
    return 0;
}
int sem_destroy(unsigned *s)
{
    (void)s;
    return 0;
}

/* A lock that its only thread waits for. A test runs by itself, in one thread unless the
 * program starts more: who asks there for a lock that is held holds it already, and would wait
 * until the test's time is up. A lock that processes share may be another one's, and is waited
 * for. The linker leads the program's calls here (--wrap).
 */
#include "replay.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

extern char __libc_single_threaded __attribute__((weak)); /* of glibc, since 2.32 */

/* whether processes may share a lock; of what no C library tells, they may */
static int shared(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
    return (mutex->__data.__kind & 128) != 0;
#else
    (void)mutex;
    return 1;
#endif
}

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static const struct timespec past;
    int taken;

    if (klabel_run.shm == NULL || &__libc_single_threaded == NULL || !__libc_single_threaded ||
        shared(mutex))
        return __real_pthread_mutex_lock(mutex);
    taken = pthread_mutex_trylock(mutex);
    if (taken == EBUSY && (taken = pthread_mutex_timedlock(mutex, &past)) == ETIMEDOUT)
        klabel_stop(END_TIMEOUT, "waits for ever: the lock is held by the one who asks for it");
    return taken; /* an errorcheck mutex says EDEADLK */
}

/* Records the labels that a test program of the user's hits, when it is built
 * with the replay form of the labels. KLABEL_HITS names a file; each process
 * that ends normally (exit, or return from main) appends the numbers of its
 * labels, four bytes each, in one write: tests that fork may share the file. A
 * process that crashes, aborts or calls _exit leaves nothing.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { LABELS = 1 << 24 }; /* every number that a label may have */

static unsigned char hits[LABELS];
static int largest = -1;

void klabel_hit(int id);

void klabel_hit(int id)
{
    if (id >= 0 && id < LABELS) {
        hits[id] = 1;
        if (id > largest)
            largest = id;
    }
}

__attribute__((destructor)) static void record(void)
{
    const char *path = getenv("KLABEL_HITS");
    int fd, i, n = 0;
    unsigned *ids;

    if (path == NULL || largest < 0)
        return;
    ids = malloc(((size_t)largest + 1) * sizeof *ids);
    if (ids == NULL)
        return;
    for (i = 0; i <= largest; i++)
        if (hits[i])
            ids[n++] = (unsigned)i;
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) {
        ssize_t done = write(fd, ids, (size_t)n * sizeof *ids);

        (void)done;
        close(fd);
    }
    free(ids);
}

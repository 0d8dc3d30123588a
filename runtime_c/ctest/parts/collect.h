/* Records the labels that a project's own tests hit, in a copy of the project
 * that klabel run --existing-run has made. Labelled functions include it, so
 * that the project's build files stay as they are.
 *
 * KLABEL_HITS_FILE holds a byte a label. Every translation unit maps it shared
 * at its first label: threads and forked processes need no further care, hits
 * of a file that is compiled several times come together, and they stay when
 * the process crashes or calls _exit. Where the file cannot be mapped the
 * program runs on, and nothing is recorded.
 *
 * It declares nothing that a header of the C library declares later. Limits:
 * Linux on 64 bits, with a C library.
 */
#ifndef KLABEL_COLLECT_H
#define KLABEL_COLLECT_H
#pragma GCC system_header
#include <sys/syscall.h>

extern long klabel_syscall(long number, ...) __asm__("syscall");
extern int *klabel_errno(void) __asm__("__errno_location");

static unsigned char *klabel_hits;
static unsigned char klabel_unmapped[KLABEL_LABELS];

static __attribute__((unused, noinline)) unsigned char *klabel_map(void)
{
    int kept = *klabel_errno();
    long fd = klabel_syscall(SYS_openat, -100L, KLABEL_HITS_FILE, 2L, 0L); /* AT_FDCWD, O_RDWR */
    long at = -1;

    if (fd >= 0) {
        at = klabel_syscall(SYS_mmap, 0L, (long)KLABEL_LABELS, 3L, 1L, fd, 0L); /* PROT_READ | PROT_WRITE, MAP_SHARED */
        klabel_syscall(SYS_close, fd);
    }
    *klabel_errno() = kept;
    __atomic_store_n(&klabel_hits, at == -1 ? klabel_unmapped : (unsigned char *)at, __ATOMIC_RELAXED);
    return klabel_hits;
}

static __attribute__((unused)) void klabel_hit(int id)
{
    unsigned char *at = __atomic_load_n(&klabel_hits, __ATOMIC_RELAXED);

    if (!at)
        at = klabel_map();
    __atomic_store_n(at + id, 1, __ATOMIC_RELAXED);
}

/* FLT_ROUNDS as clang's <float.h> has it. The linker asks gcc's users for it. */
#if !defined(__clang__)
static __attribute__((unused)) int __builtin_flt_rounds(void)
{
    return 1;
}
#endif

/* Of a pointer that is not NULL nothing is known. */
#define klabel_reads(p, n) 1
/* What came out of an atom: 0, 1, or 2 where it could not be evaluated. */
#define klabel_known(atom) ((atom) < 2 ? (atom) : (klabel_lost = 1, 0))
#endif

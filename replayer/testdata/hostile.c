/* Ways to do harm, one for each number. Whatever runs them must go on after each: number 0 covers label 1. A hit
   of 3 says that the harm was done. HIT is what notes a hit where there are no labels. */
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>
static volatile char rubbish;
static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }
static void forever(void) { for (;;) pause(); }
#ifdef HIT
static void hit(int n) { HIT(n); }
#else
#include "labels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int klee_int(const char *name);
static void hit(int n)
{
    pc_label(n == 1, 1, "CC");
    pc_label(n == 2, 2, "CC");
    pc_label(n == 3, 3, "CC");
}
#endif
static int tries(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) return 0;
    if (write(fd, "x", 1)) {}
    close(fd);
    return 1;
}
/* What the program shares with its server: where verdicts are. */
static char *shared(size_t *size)
{
    char line[512];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    char *found = NULL;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "rw-s") && sscanf(line, "%lx-%lx", &from, &to) == 2) { found = (char *)from; *size = to -
        from; }
    if (maps != NULL) fclose(maps);
    return found;
}
/* Whether the memory that klabel reads verdicts from is here, for reading alone even: that could be lifted. */
static int has_result(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    int found = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, "klabel-replay") && (strstr(line, "r--s ") || strstr(line, "rw-s 00000000 "));
    if (maps != NULL) fclose(maps);
    return found;
}
static sigjmp_buf before;
static void back(int s) { siglongjmp(before, s); }
static void quits(void) { _exit(0); }
static void *stays(void *p) { for (;;) { hit(2); usleep(1000); } return p; }
static void floods(void) { int i; for (i = 0; i < 3000; i++) if (write(2, "and on and on\n", 14)) {} }
static void on_alarm(int s) { (void)s; signal(SIGALRM, on_alarm); alarm(1); }
#if defined(__x86_64__) && !defined(NO_FRAMES)
/* Goes on where the caller of a caller would, as longjmp into its frame does. */
__attribute__((noinline)) static void leaves(void)
{
    void **frame = (void **)__builtin_frame_address(0);
    frame[0] = ((void **)frame[0])[0] ? ((void **)frame[0])[0] : frame[0];
    frame[1] = ((void **)frame[0])[1];
}
#else
static void leaves(void) { abort(); }
#endif
int main(void)
{
    int way = klee_int("way"), i, fds[2];
    char path[64], *at;
    size_t size = 0;
    pthread_t thread;
    struct sched_param first = {1}, none_first = {0};
    struct itimerval never = {{0, 0}, {0, 0}};
    struct rlimit none = {0, 0};
    sigset_t all;
    switch (way) {
    case 0: hit(1); return 0;
    case 1: kill(getppid(), SIGKILL); usleep(20000); hit(2); return 0;
    case 2: kill(-1, SIGKILL); hit(2); return 0;
    case 3: for (;;) if (fork() < 0) usleep(100);
    case 4: if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGTERM, SIG_IGN); forever(); } _exit(0);
        } hit(2); return 0;
    case 5: if (fork() == 0) { usleep(300000); for (i = 2; i < 90; i++) hit(i); forever(); } hit(2); return 0;
    case 6: hit(tries(VICTIM) || unlink(VICTIM) == 0 ? 3 : 2); return 0;
    case 7: hit(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 3 : 2); return 0;
    case 8: snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid()); hit(open(path, O_RDWR) >= 0 ? 3 : 2);
        return 0;
    case 9: hit(tries("/tmp/left") ? 2 : 3); return 0;
    case 10: hit(access("/tmp/left", F_OK) == 0 ? 3 : 2); return 0;
    case 11: for (i = 0; i < 100; i++) { snprintf(path, sizeof path, "f%d", i); mkdir(path, 0); } hit(2); return 0;
    case 12: hit(access("f7", F_OK) == 0 ? 3 : 2); return 0;
    case 13: signal(SIGXFSZ, SIG_IGN); for (i = 0; i < 4000; i++) { snprintf(path, sizeof path, "g%d", i);
        int fd = open(path, O_WRONLY | O_CREAT, 0666);
        if (fd < 0 || ftruncate(fd, 0) || write(fd, malloc(1 << 20), 1 << 20) != 1 << 20) { hit(2); return 0;
        } close(fd); } hit(3); return 0;
    case 14: hit(prlimit(getppid(), RLIMIT_NOFILE, &none, NULL) == 0 ? 3 : 2); return 0;
    case 15: hit(socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 3 : 2); return 0;
    case 16: hit(70); hit(-5); return 0;
    case 17: kill(getppid(), SIGSTOP); hit(2); return 0;
    case 18: for (i = 3; i < 256; i++) close(i); if (write(204, "r", 1)) {} hit(2); return 0;
    case 19: hit(kill(PID, 0) == 0 ? 3 : 2); return 0;
    case 20: hit(setpriority(PRIO_PROCESS, getppid(), 19) == 0 || setpriority(PRIO_USER, 0, 19) == 0 ||
        setpriority(PRIO_PGRP, getpgid(getppid()), 19) == 0 ? 3 : 2); return 0;
    case 21: for (i = 0; i < 3; i++) if (fork() == 0) for (;;) if (write(1, "spam spam spam\n", 15)) {} hit(2);
        return 0;
    case 22: hit(chmod(VICTIM, 0) == 0 || rename(VICTIM, VICTIM "2") == 0 || symlink("x", VICTIM "3") == 0 ? 3 : 2);
        return 0;
    case 23: if (system("sleep 97.31 & echo hello") == 0) {} hit(2); return 0;
    case 24: hit(2); raise(SIGSTOP); return 0;
    case 25: hit(2); signal(SIGTERM, SIG_IGN); signal(SIGXCPU, SIG_IGN); sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL); for (;;) {}
    case 26: hit(2); forever();
    case 27: for (;;) { char *p = malloc(1 << 20); if (p != NULL) memset(p, 1, 1 << 20); }
    case 28: hit(2); return deep(1);
    case 29: atexit(forever); hit(2); return 0;
    case 30: hit(2); raise(SIGSEGV); return 0;
    case 31: hit(2); for (i = 0; i < 1024; i++) close(i); return 0;
    case 32: hit(2); for (i = 0; i < 16; i++) setrlimit(i, &none); return 0;
    case 33: { int fd = open("/proc/self/mem", O_RDWR); uintptr_t at = (uintptr_t)&rubbish;
        hit(pwrite(fd, "x", 1, (off_t)at) == 1 && rubbish == 'x' ? 2 : 2); return 0; }
    case 34: if (fork() == 0) { setsid(); if (fork() == 0) { setsid(); for (;;) if (fork() == 0) pause();
        else usleep(1000); } _exit(0); } hit(2); return 0;
    case 35: hit(symlink("/", "all") == 0 && tries("all" VICTIM) ? 3 : 2); return 0;
    case 36: hit(2); for (;;) if (write(1, "flood flood flood\n", 18)) {}
    case 37: hit(2); ftruncate(3, 0); for (i = 3; i < 256; i++) if (i != 204) { (void)!write(i, "verdict", 7);
        (void)!ftruncate(i, 0); } return 0;
    case 38: at = shared(&size); hit(2); if (at) mmap(at, size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); hit(4); return 0;
    case 39: at = shared(&size); hit(2); if (at) munmap(at, size); hit(4); return 0;
    case 40: at = shared(&size); if (at) memset(at, 1, size); return 0;
    case 41: at = shared(&size); hit(2); if (at) mprotect(at, size, PROT_NONE); hit(4); return 0;
    case 42: hit(2); execl("/proc/self/exe", "replay", "--klabel-serve", (char *)NULL); return 0;
    case 43: hit(chroot(".") == 0 || syscall(SYS_unshare, 0x10000000) == 0 ||
        syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0) == 0 ? 3 : 2); return 0;
    case 44: hit(2); leaves(); return 0;
    case 45: hit(2); pthread_create(&thread, NULL, stays, NULL); return 0;
    case 46: hit(2); pthread_create(&thread, NULL, stays, NULL); pthread_exit(NULL);
    case 47: hit(2); atexit(floods); return 0;
    case 48: hit(2); if (vfork() == 0) forever(); return 0;
    case 49: hit(2); if (vfork() == 0) { for (i = 0; i < 256; i++) if (write(i, "rrrr", 4)) {} _exit(0); } return 0;
    case 50: hit(2); alarm(1); sleep(60); return 0;
    case 51: hit(2); on_alarm(0); for (i = 0; i < 3; i++) setitimer(i, &never, NULL); for (;;) sleep(60);
    case 52: hit(mount("none", "/tmp", "tmpfs", 0, "") == 0 || umount2("/tmp", 2) == 0 ||
        syscall(SYS_pivot_root, ".", ".") == 0 ? 3 : 2); return 0;
    case 53: hit(tries("/proc/1/mem") || tries("/proc/1/oom_score_adj") || tries("/proc/1/fd/2") ? 3 : 2); return 0;
    case 54: hit(2); kill(0, SIGKILL); return 0;
    case 55: setpgid(0, getpgid(getppid())); killpg(getpgid(getppid()), SIGKILL); hit(2); return 0;
    case 56: hit(2); for (i = 0; i < 400; i++) { snprintf(path, sizeof path, "/dev/shm/%d", i);
        int fd = open(path, O_WRONLY | O_CREAT, 0666); if (fd < 0 || write(fd, malloc(1 << 20), 1 << 20) != 1 << 20)
        return 0; } hit(3); return 0;
    case 57: hit(mknod("disk", S_IFBLK | 0666, 8 << 8) == 0 && open("disk", O_RDWR) >= 0 ? 3 : 2); return 0;
    case 58: hit(tries("/dev/mem") || tries("/dev/kmsg") || tries("/proc/sysrq-trigger") ||
        tries("/proc/sys/kernel/core_pattern") || tries("/sys/power/state") ? 3 : 2); return 0;
    case 59: hit(syscall(SYS_add_key, "user", "k", "v", 1, -3) >= 0 || syscall(SYS_bpf, 0, 0, 0) >= 0 ||
        syscall(SYS_init_module, 0, 0, "") == 0 || syscall(SYS_io_uring_setup, 8, path) >= 0 ? 3 : 2); return 0;
    case 60: none.rlim_cur = none.rlim_max = RLIM_INFINITY; for (i = 0; i < 16; i++) setrlimit(i, &none); hit(2);
        for (;;) { char *p = malloc(1 << 20); if (p != NULL) memset(p, 1, 1 << 20); }
    case 61: hit(sched_setscheduler(0, SCHED_FIFO, &first) == 0 || setpriority(PRIO_PROCESS, 0, -20) == 0 ? 3 : 2);
        return 0;
    case 62: for (i = 1; i < 65; i++) kill(getppid(), i); hit(2); return 0;
    case 63: hit(2); i = shmget(4711, 4096, IPC_CREAT | 0666); if (i >= 0) strcpy((char *)shmat(i, NULL, 0), "left");
        return 0;
    case 64: hit(shmget(4711, 4096, 0) >= 0 ? 3 : 2); return 0;
    case 65: hit(2); { struct mq_attr a = {0, 1, 8}; mq_open("/left", O_CREAT | O_RDWR, 0666, &a); } return 0;
    case 66: hit(mq_open("/left", O_RDWR) >= 0 ? 3 : 2); return 0;
    case 67: hit(2); for (i = 0; i < 250; i++) { int fd = (int)syscall(SYS_memfd_create, "m", 0), k;
        for (k = 0; k < 8; k++) if (write(fd, malloc(1 << 20), 1 << 20) != 1 << 20) return 0; } hit(4); return 0;
    case 68: hit(2); for (i = 0; i < 12; i++) if (fork() == 0) { at = (char *)mmap(NULL, 150 << 20,
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); if (at != MAP_FAILED) memset(at, 1, 150 << 20);
        forever(); } sleep(60); return 0;
    case 69: hit(2); while (pipe(fds) == 0) { fcntl(fds[1], F_SETFL, O_NONBLOCK);
        while (write(fds[1], path, sizeof path) > 0) {} } return 0;
    case 70: prctl(PR_SET_PDEATHSIG, 0); prctl(PR_SET_DUMPABLE, 0); prctl(PR_SET_CHILD_SUBREAPER, 1);
        if (fork() == 0) { setsid(); forever(); } hit(2); return 0;
    case 71: hit(2); if (rename(".", "/tmp/x") == 0 || chdir("..") || rmdir(".")) {} if (symlink("/etc", "etc")) {}
        return 0;
    case 72: hit(2); i = 0; for (at = path; i < 3; i++) if (fork() == 0) { for (;;) raise(SIGSTOP); } raise(SIGCONT);
        return 0;
    case 73: hit(2); fclose(stdin); fclose(stdout); fclose(stderr); for (i = 0; i < 300; i++) dup2(open("/dev/zero",
        O_RDWR), i); return 0;
    case 74: hit(has_result() ? 3 : 2); return 0;
    case 75: at = shared(&size); hit(at && syscall(SYS_remap_file_pages, at, 4096, 0, 0, 0) == 0 &&
        memcmp(at, "KLABELRP", 8) == 0 ? 3 : 2); return 0;
    case 76: at = shared(&size); hit(2); if (pipe(fds) != 0 || at == NULL) return 0;
        at = (char *)mremap(at, size, size + 4096, MREMAP_MAYMOVE); /* is there the test behind it? */
        if (at != MAP_FAILED && write(fds[1], at + size, 5) == 5 && read(fds[0], path, 5) == 5 &&
            memcmp(path, "KTEST", 5) == 0) hit(3);
        return 0;
    case 77: hit(syscall(SYS_userfaultfd, 0) >= 0 || ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ||
        syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0) >= 0 ||
        syscall(438 /* pidfd_getfd */, syscall(434 /* pidfd_open */, getppid(), 0), 3, 0) >= 0 ? 3 : 2); return 0;
    case 78: at = shared(&size); snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)at,
        (unsigned long)(at + size)); hit(open(path, O_RDWR) >= 0 ? 3 : 2); return 0;
    case 79: hit(2); at = (char *)((uintptr_t)main & ~(uintptr_t)4095);
        if (mprotect(at, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) memset(at, 0xcc, 8192); return 0;
    case 80: signal(SIGSEGV, back); if (sigsetjmp(before, 1) == 0) raise(SIGSEGV); hit(2); return 0;
    case 81: hit(2); atexit(quits); return 0;
    case 82: hit(2); return ((volatile char *)__builtin_alloca(1u << 30))[0];
    case 83: if (syscall(SYS_clone, CLONE_PARENT | CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0) == 0) { hit(2); setsid();
        forever(); } hit(2); return 0;
    case 84: for (i = 0, size = 0; i < 46; i++) if (i != AF_INET && i != AF_INET6 && i != AF_NETLINK)
        size += socket(i, SOCK_STREAM, 0) >= 0 || socket(i, SOCK_SEQPACKET, 0) >= 0 || socket(i, SOCK_RAW, 0) >= 0;
        hit(size > 0 ? 3 : 2); return 0; /* the host of a virtual machine, the kernel's ciphers, raw devices */
    case 85: snprintf(path, sizeof path, "klabel_%s", "hit"); /* a text that names it is refused */
        size = dlsym(RTLD_DEFAULT, path) != NULL; snprintf(path, sizeof path, "klabel_%s", "run");
        hit(size > 0 || dlsym(RTLD_DEFAULT, path) ? 3 : 2); return 0;
    case 86: for (i = 0, size = 0; i < 3; i++) size += ioctl(i, TIOCSTI, "x") == 0;
        hit(size > 0 || open("/dev/tty", O_RDWR) >= 0 ? 3 : 2); return 0;
    case 87: hit(2); at = (char *)mmap(NULL, (size_t)64 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
        MAP_NORESERVE | MAP_POPULATE, -1, 0); return at == MAP_FAILED;
    case 88: hit(tries("/proc/1/root" VICTIM) || tries("/proc/self/root" VICTIM) ||
        tries("/proc/self/cwd/../../../../../../../.." VICTIM) ? 3 : 2); return 0;
    case 89: i = open(VICTIM, O_RDONLY); snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        hit(tries(path) || ftruncate(i, 0) == 0 || fchmod(i, 0) == 0 || link(VICTIM, "linked") == 0 ? 3 : 2); return 0;
    case 90: hit(utimensat(AT_FDCWD, VICTIM, NULL, 0) == 0 || setxattr(VICTIM, "user.x", "y", 1, 0) == 0 ||
        lchown(VICTIM, 4711, 4711) == 0 ? 3 : 2); return 0;
    case 91: hit(sethostname("x", 1) == 0 || acct(NULL) == 0 || syscall(SYS_adjtimex, 0) == 0 ||
        syscall(SYS_fanotify_init, 0, 0) >= 0 || syscall(SYS_syslog, 5, NULL, 0) == 0 || syscall(SYS_vhangup) == 0 ||
        syscall(SYS_open_by_handle_at, AT_FDCWD, path, O_RDWR) >= 0 ? 3 : 2); return 0;
    case 92: hit(kill(PID, SIGKILL) == 0 || syscall(434 /* pidfd_open */, PID, 0) >= 0 ||
        syscall(SYS_tgkill, PID, PID, SIGKILL) == 0 ? 3 : 2); return 0;
    case 93: hit(2); for (i = 0; i < 40000; i++) { snprintf(path, sizeof path, "/tmp/i%d", i); /* all of the inodes */
        if (mknod(path, S_IFREG | 0600, 0) != 0) break; } for (i = 0; i < 40000; i++) { snprintf(path, sizeof path,
        "j%d", i); if (mknod(path, S_IFREG | 0600, 0) != 0) return 0; } return 0;
    case 94: hit(2); for (i = 0; i < 1000; i++) if (mkdir("deep", 0777) != 0 || chdir("deep") != 0) break;
        (void)!symlink("..", "up"); chmod("..", 0); return 0;
    case 95: signal(SIGXFSZ, SIG_IGN); i = open("huge", O_RDWR | O_CREAT, 0666); hit(ftruncate(i, 1ll << 40) == 0 ||
        pwrite(i, "x", 1, 1ll << 40) == 1 || fallocate(i, 0, 0, 1ll << 30) == 0 ? 3 : 2); return 0;
    case 96: none.rlim_cur = none.rlim_max = RLIM_INFINITY; hit(2); setrlimit(RLIMIT_CORE, &none);
        prctl(PR_SET_DUMPABLE, 1); abort();
    case 97: i = open("as", O_WRONLY | O_CREAT, 0777); fchmod(i, 06777); hit(setuid(4711) == 0 || setgid(4711) == 0 ||
        setgroups(0, NULL) == 0 || fchown(i, 4711, 4711) == 0 || prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ||
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0 ? 3 : 2); return 0;
    case 98: hit(2); for (i = 0; i < 300; i++) { memset(path, '\n', sizeof path - 1); path[sizeof path - 1] = 0;
        snprintf(path, sizeof path, "\033[2J\n%d\n-rf *", i); if (open(path, O_CREAT | O_WRONLY, 0) >= 0) {} }
        chmod(".", 0); return 0;
    case 99: hit(access("huge", F_OK) == 0 || access("deep", F_OK) == 0 || access("as", F_OK) == 0 ||
        tries("back") == 0 ? 3 : 2); return 0;
    case 100: hit(2); i = open("leased", O_RDWR | O_CREAT, 0666); fcntl(i, F_SETLEASE, F_WRLCK); flock(i, LOCK_EX);
        for (size = 0; size < 256; size++) { fcntl((int)size, F_SETOWN, getppid()); fcntl((int)size, F_SETSIG, SIGKILL);
        fcntl((int)size, F_SETFL, O_ASYNC | O_NONBLOCK); } return 0;
    case 101: hit(2); setenv("LD_PRELOAD", "./as", 1); execl("/proc/self/exe", "r", "--klabel-serve-watched", (char
        *)NULL);
        return 0;
    case 102: hit(2); personality(ADDR_NO_RANDOMIZE); execl("/proc/self/exe", "r", "/dev/zero", (char *)NULL); return 0;
    case 103: hit(2); for (i = 0; i < 4; i++) if (syscall(SYS_clone, CLONE_VM | CLONE_FILES | CLONE_FS, calloc(1,
        65536) + 65000,
        0, 0, 0) == 0) for (;;) {} return 0;
    case 104: hit(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0 || syscall(SYS_clone, CLONE_NEWPID |
        SIGCHLD, 0,
        0, 0, 0) == 0 || syscall(435 /* clone3 */, path, 0) == 0 || syscall(SYS_setns, 0, 0) == 0 ? 3 : 2); return 0;
    case 105: hit(2); at = (char *)((uintptr_t)main & ~(uintptr_t)4095);
        mmap(at - 8192, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); return 0;
    case 106: for (i = 3; i < 256; i++) dup2(1, i); for (i = 3; i < 256; i++) if (write(i, "r", 1)) {} hit(2); return 0;
    case 107: while (open("/dev/null", O_RDWR) >= 0) {} while (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0) {}
        hit(2); return 0;
    case 108: { stack_t own = {calloc(1, 65536), 0, 65536}; struct sigaction act = {.sa_handler = back, .sa_flags =
        SA_ONSTACK};
        sigaltstack(&own, NULL); sigaction(SIGSEGV, &act, NULL); if (sigsetjmp(before, 1) == 0) deep(1); hit(2);
        return 0; }
    case 109: hit(2); signal(SIGCHLD, SIG_IGN); for (i = 0; i < 300; i++) if (fork() == 0) _exit(i); return 0;
    case 110: hit(2); for (i = 0; i < 3; i++) if (fork() == 0) for (;;) { if (fork() > 0) _exit(0); setsid(); } return
        0;
    case 111: hit(tries("/proc/self/exe") || truncate("/proc/self/exe", 0) == 0 || link("/proc/self/exe", "exe") == 0 ||
        unlink("/proc/self/exe") == 0 ? 3 : 2); return 0;
    case 112: for (i = 0; i < 256; i++) { snprintf(path, sizeof path, "/proc/self/fd/%d", i); int fd = open(path,
        O_RDWR);
        char magic[8]; if (fd >= 0 && pread(fd, magic, 8, 0) == 8 && memcmp(magic, "KLABELRP", 8) == 0) hit(3); }
        hit(2); return 0;
    case 113: (void)!symlink(VICTIM, "v"); (void)!symlink("/", "slash"); (void)!symlink("loop", "loop"); mkdir("d",
        0777);
        (void)!symlink(VICTIM, "d/v"); chmod("v", 0); chmod("d", 0); hit(2); return 0;
    case 114: if (fork() == 0) { setsid(); for (;;) { mkdir("again", 0777); rmdir("again"); close(open("more",
        O_CREAT, 0)); } }
        hit(2); return 0;
    case 115: hit(syscall(428, AT_FDCWD, "/", 0) >= 0 || syscall(430, "tmpfs", 0) >= 0 || syscall(429, -1, "", -1,
        "/", 4) >= 0 ||
        syscall(442, AT_FDCWD, "/", 0, path, 32) >= 0 ? 3 : 2); return 0;
    case 116: hit(2); prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); { unsigned long long none_of[2] = {0x1fff, 0};
        i = (int)syscall(444, none_of, 8, 0); syscall(446, i, 0); } tries("mine"); return 0;
    case 117: hit(2); prctl(PR_SET_SECCOMP, 1, 0, 0, 0); return 0; /* exit_group is not allowed any more */
    case 118: hit(2); prctl(PR_SET_NAME, "x) Z 1 1 1 (\n"); for (i = 0; i < 3; i++) if (fork() == 0) { setsid();
        forever(); }
        return 0;
    case 119: hit(2); if (pipe(fds) == 0) { fcntl(fds[1], F_SETPIPE_SZ, 1 << 30); fcntl(1, F_SETPIPE_SZ, 4096); }
        for (i = 0; i < 64; i++) { struct iovec io = {calloc(1, 1 << 20), 1 << 20}; fcntl(1, F_SETFL, O_NONBLOCK);
        vmsplice(1, &io, 1, SPLICE_F_NONBLOCK | SPLICE_F_GIFT); } return 0;
    case 120: for (i = 1; i < 65; i++) if (i != SIGKILL && i != SIGSTOP) signal(i, SIG_IGN); for (i = 0; i < 20000; i++)
        raise(i % 64 == 0 || i % 64 == SIGKILL || i % 64 == SIGSTOP ? SIGTRAP : i % 64); hit(2); return 0;
    case 121: signal(SIGTRAP, SIG_IGN); for (i = 0; i < 5000; i++) raise(SIGTRAP); hit(2); return 0;
    case 122: i = fork(); if (i == 0) forever(); hit(ptrace(PTRACE_SEIZE, i, 0, 0) == 0 || ptrace(PTRACE_ATTACH, i, 0,
        0) == 0 ?
        3 : 2); return 0;
    case 123: at = shared(&size); hit(2); if (at) syscall(SYS_set_tid_address, at + 60); return 0;
    case 124: at = shared(&size); hit(2); if (at) syscall(SYS_set_robust_list, at, 24); return 0;
    case 125: hit(2); raise(SIGKILL); return 0;
    case 126: hit(2); { timer_t id; for (i = 0; i < 100000 && timer_create(CLOCK_MONOTONIC, NULL, &id) == 0; i++) {} }
        while (inotify_init() >= 0 || epoll_create(1) >= 0 || eventfd(0, 0) >= 0) {} return 0;
    case 127: i = open("/proc/self/oom_score_adj", O_WRONLY); hit((i >= 0 && write(i, "-1000", 5) == 5) ||
        tries("/proc/sys/vm/drop_caches") || tries("/proc/self/uid_map") || tries("/proc/sys/kernel/pid_max") ? 3 :
        2); return 0;
    case 128: hit(syscall(SYS_ioprio_set, 1, getppid(), 1 << 13) == 0 || syscall(SYS_sched_setaffinity, getppid(), 8,
        path) == 0 ||
        sched_setscheduler(getppid(), SCHED_IDLE, &none_first) == 0 || syscall(SYS_migrate_pages, getppid(), 8, path,
        path) >= 0 ?
        3 : 2); return 0;
    case 129: hit(syscall(SYS_perf_event_open, path, getppid(), -1, -1, 0) >= 0 || syscall(SYS_kcmp, getppid(),
        getpid(), 0, 1, 1) >= 0
        || syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) >= 0 || syscall(440, getppid(), 0, 0, 0, 0) >= 0 ?
        3 : 2);
        return 0;
    case 130: hit(2); mlockall(MCL_CURRENT | MCL_FUTURE); at = (char *)mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED, -1, 0); return 0;
    case 131: hit(reboot(0xfee1dead) == 0 || reboot(0) == 0 || syscall(SYS_swapoff, "x") == 0 ||
        syscall(SYS_settimeofday, path, 0) == 0
        || syscall(SYS_kexec_load, 0, 0, 0, 0) == 0 || syscall(SYS_delete_module, "x", 0) == 0 || swapon("x", 0) == 0 ||
        setdomainname("x", 1) == 0 || iopl(3) == 0 || ioperm(0, 3, 1) == 0 ? 3 : 2); return 0;
    case 132: hit(2); execl("/bin/sh", "sh", "-c", "kill -9 -1; trap '' TERM; sleep 97.31 & exit 3", (char *)NULL);
        return 0;
    case 133: hit(2); if (write(1, "\033]0;x\007\033[2J\0\377\n", 14)) {} fprintf(stderr,
        "\033[31mERROR: AddressSanitizer: \033[8m\n");
        abort();
    case 134: hit(2); fprintf(stderr, "ERROR: AddressSanitizer: made up\n"); exit(97);
    case 135: { FILE *f = fopen("/proc/self/status", "r"); char line[256]; i = 0; while (f && fgets(line, sizeof line,
        f))
        sscanf(line, "TracerPid: %d", &i); hit(i > 0 && kill(i, SIGKILL) == 0 ? 3 : 2); return 0; }
    case 136: i = open(VICTIM, O_RDONLY); fcntl(i, F_SETLEASE, F_RDLCK); flock(i, LOCK_EX | LOCK_NB); fcntl(i,
        F_NOTIFY, 0x3f);
        hit(2); return 0;
    case 137: hit(open("/dev/ptmx", O_RDWR) >= 0 || open("/dev/fuse", O_RDWR) >= 0 || open("/dev/kvm", O_RDWR) >= 0 ||
        open("/dev/loop-control", O_RDWR) >= 0 || open("/dev/vsock", O_RDWR) >= 0 || open("/dev/net/tun", O_RDWR) >= 0
        ? 3 : 2);
        return 0;
    case 138: hit(2); for (i = 0; i < 8; i++) pthread_create(&thread, NULL, stays, NULL); usleep(3000);
        syscall(SYS_exit_group, 0);
    case 139: hit(2); at = shared(&size); if (at) madvise(at, size, MADV_REMOVE); hit(2); return 0;
    case 140: hit(2); chdir("/"); fclose(stdin); for (i = 0; i < 1024; i++) close(i); setsid(); if (fork() > 0)
        _exit(0); setsid();
        if (fork() > 0) _exit(0); prctl(PR_SET_NAME, "sleep"); signal(SIGHUP, SIG_IGN); forever();
    case 141: for (i = 0; i < 256; i++) { shutdown(i, SHUT_RDWR); lseek(i, 0, SEEK_SET); ftruncate(i, 1 << 30);
        fchmod(i, 0); }
        hit(2); return 0;
    case 142: hit(2); at = (char *)sbrk(0); brk(at - 65536); size = strlen(strdup("x")); brk((void *)4096); return
        (int)size - 1;
    case 143: hit(2); asm volatile("mov $0, %rsp; push %rax"); return 0;
    case 144: hit(syscall(SYS_quotactl, 0, "/", 0, 0) == 0 || syscall(SYS_syslog, 2, path, 9) >= 0 || chroot("/") == 0
        ||
        nice(-5) != -1 ? 3 : 2); return 0;
    }
    return 0;
}

/* Ways to do harm, one for each number. Whatever runs them must go on after each: number 0 covers label 1. A hit
   of 3 says that the harm was done. HIT is what notes a hit where there are no labels. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <stdint.h>
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
int main(void)
{
    int way = klee_int("way"), i;
    char path[64];
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
    case 20: hit(setpriority(PRIO_PROCESS, getppid(), 19) == 0 ? 2 : 2); return 0;
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
    }
    return 0;
}

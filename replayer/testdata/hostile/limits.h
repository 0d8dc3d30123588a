/* Memory, time, output, descriptors, and how a run ends. */
static void limits(int way)
{
    int i, fds[2];
    char path[64], *at;
    struct sched_param first = {1};
    struct itimerval never = {{0, 0}, {0, 0}};
    struct rlimit none = {0, 0};
    sigset_t all;

    switch (way) {
    case 24: /* Stops itself. */
        hit(2);
        raise(SIGSTOP);
        break;
    case 25: /* Spins, deaf to all signals. */
        hit(2);
        signal(SIGTERM, SIG_IGN);
        signal(SIGXCPU, SIG_IGN);
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;) {
        }
    case 26: /* Waits for ever. */
        hit(2);
        forever();
    case 27: /* Takes all memory. */
        for (;;) {
            char *p = malloc(1 << 20);
            if (p != NULL)
                memset(p, 1, 1 << 20);
        }
    case 28: /* Recurses without end. */
        hit(2);
        (void)deep(1);
        break;
    case 29: /* Does not come back from exit. */
        atexit(forever);
        hit(2);
        break;
    case 30: /* Crashes. */
        hit(2);
        raise(SIGSEGV);
        break;
    case 32: /* Leaves itself no resources. */
        hit(2);
        for (i = 0; i < 16; i++)
            setrlimit(i, &none);
        break;
    case 33: { /* Writes to its own memory by a file. */
        int fd = open("/proc/self/mem", O_RDWR);
        uintptr_t at = (uintptr_t)&rubbish;
        (void)!pwrite(fd, "x", 1, (off_t)at);
        hit(2);
        break;
    }
    case 36: /* Prints without end. */
        hit(2);
        for (;;)
            (void)!write(1, "flood flood flood\n", 18);
    case 47: /* Prints a lot when it ends. */
        hit(2);
        atexit(floods);
        break;
    case 50: /* A signal ends it. */
        hit(2);
        alarm(1);
        sleep(60);
        break;
    case 51: /* Switches the timers off, and sleeps. */
        hit(2);
        on_alarm(0);
        for (i = 0; i < 3; i++)
            setitimer(i, &never, NULL);
        for (;;)
            sleep(60);
    case 60: /* Lifts all limits, and takes all memory. */
        none.rlim_cur = none.rlim_max = RLIM_INFINITY;
        for (i = 0; i < 16; i++)
            setrlimit(i, &none);
        hit(2);
        for (;;) {
            char *p = malloc(1 << 20);
            if (p != NULL)
                memset(p, 1, 1 << 20);
        }
    case 61: /* A better priority. */
        harm(sched_setscheduler(0, SCHED_FIFO, &first) == 0 || setpriority(PRIO_PROCESS, 0, -20) == 0);
        break;
    case 67: /* Files that are memory alone. */
        hit(2);
        for (i = 0; i < 250; i++) {
            int fd = (int)syscall(SYS_memfd_create, "m", 0), k;
            for (k = 0; k < 8; k++)
                if (write(fd, malloc(1 << 20), 1 << 20) != 1 << 20)
                    return;
        }
        hit(4);
        break;
    case 68: /* Children that take memory together. */
        hit(2);
        for (i = 0; i < 12; i++)
            if (fork() == 0) {
                at = (char *)mmap(NULL, 150 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
                if (at != MAP_FAILED)
                    memset(at, 1, 150 << 20);
                forever();
            }
        sleep(60);
        break;
    case 69: /* Fills pipes. */
        hit(2);
        while (pipe(fds) == 0) {
            fcntl(fds[1], F_SETFL, O_NONBLOCK);
            while (write(fds[1], path, sizeof path) > 0) {
            }
        }
        break;
    case 79: /* Destroys its own code. */
        hit(2);
        at = (char *)((uintptr_t)main & ~(uintptr_t)4095);
        if (mprotect(at, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
            memset(at, 0xcc, 8192);
        break;
    case 80: /* Comes back from a crash. */
        signal(SIGSEGV, back);
        if (sigsetjmp(before, 1) == 0)
            raise(SIGSEGV);
        hit(2);
        break;
    case 81: /* Ends while it ends. */
        hit(2);
        atexit(quits);
        break;
    case 82: /* A stack of a gigabyte. */
        hit(2);
        (void)((volatile char *)__builtin_alloca(1u << 30))[0];
        break;
    case 87: /* Maps more memory than there is. */
        hit(2);
        at = (char *)mmap(NULL, (size_t)64 << 30, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE, -1, 0);
        break;
    case 96: /* Asks for a core file. */
        none.rlim_cur = none.rlim_max = RLIM_INFINITY;
        hit(2);
        setrlimit(RLIMIT_CORE, &none);
        prctl(PR_SET_DUMPABLE, 1);
        abort();
    case 105: /* Puts nothing in the place of its code. */
        hit(2);
        at = (char *)((uintptr_t)main & ~(uintptr_t)4095);
        mmap(at - 8192, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        break;
    case 107: /* Takes all descriptors. */
        while (open("/dev/null", O_RDWR) >= 0) {
        }
        while (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0) {
        }
        hit(2);
        break;
    case 108: { /* Comes back from an endless recursion. */
        stack_t own = {calloc(1, 65536), 0, 65536};
        struct sigaction act = {.sa_handler = back, .sa_flags = SA_ONSTACK};
        sigaltstack(&own, NULL);
        sigaction(SIGSEGV, &act, NULL);
        if (sigsetjmp(before, 1) == 0)
            deep(1);
        hit(2);
        break;
    }
    case 117: /* Allows itself nothing, not even to end: exit_group is refused. */
        hit(2);
        prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
        break;
    case 119: /* Pipes with other sizes, and pages that are given away. */
        hit(2);
        if (pipe(fds) == 0) {
            fcntl(fds[1], F_SETPIPE_SZ, 1 << 30);
            fcntl(1, F_SETPIPE_SZ, 4096);
        }
        for (i = 0; i < 64; i++) {
            struct iovec io = {calloc(1, 1 << 20), 1 << 20};
            fcntl(1, F_SETFL, O_NONBLOCK);
            vmsplice(1, &io, 1, SPLICE_F_NONBLOCK | SPLICE_F_GIFT);
        }
        break;
    case 120: /* Ignores all signals, and raises them. */
        for (i = 1; i < 65; i++)
            if (i != SIGKILL && i != SIGSTOP)
                signal(i, SIG_IGN);
        for (i = 0; i < 20000; i++)
            raise(i % 64 == 0 || i % 64 == SIGKILL || i % 64 == SIGSTOP ? SIGTRAP : i % 64);
        hit(2);
        break;
    case 121: /* Ignores what breakpoints raise. */
        signal(SIGTRAP, SIG_IGN);
        for (i = 0; i < 5000; i++)
            raise(SIGTRAP);
        hit(2);
        break;
    case 125: /* Kills itself. */
        hit(2);
        raise(SIGKILL);
        break;
    case 126: /* Takes all timers and watches. */
        hit(2);
        {
            timer_t id;
            for (i = 0; i < 100000 && timer_create(CLOCK_MONOTONIC, NULL, &id) == 0; i++) {
            }
        }
        while (inotify_init() >= 0 || epoll_create(1) >= 0 || eventfd(0, 0) >= 0) {
        }
        break;
    case 130: /* Locks memory. */
        hit(2);
        mlockall(MCL_CURRENT | MCL_FUTURE);
        at = (char *)mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
        break;
    case 133: /* Prints a sanitizer's report, and what terminals obey. */
        hit(2);
        (void)!write(1, "\033]0;x\007\033[2J\0\377\n", 14);
        fprintf(stderr, "\033[31mERROR: AddressSanitizer: \033[8m\n");
        abort();
    case 134: /* Says that a sanitizer ended it. */
        hit(2);
        fprintf(stderr, "ERROR: AddressSanitizer: made up\n");
        exit(97);
    case 142: /* Takes its heap away. */
        hit(2);
        at = (char *)sbrk(0);
        brk(at - 65536);
        (void)strlen(strdup("x"));
        brk((void *)4096);
        break;
    case 143: /* Loses its stack. */
        hit(2);
        asm volatile("mov $0, %rsp; push %rax");
        break;
    }
}

/* What judges the program: its server, and what it shares with it. */
static void judge(int way)
{
    int i, fds[2];
    char path[64], *at;
    size_t size = 0;
    struct sched_param none_first = {0};
    struct rlimit none = {0, 0};

    switch (way) {
    case 1: /* Kills its parent. */
        kill(getppid(), SIGKILL);
        usleep(20000);
        hit(2);
        break;
    case 7: /* Traces its parent. */
        harm(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
        break;
    case 8: /* Opens its parent's memory. */
        snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
        harm(open(path, O_RDWR) >= 0);
        break;
    case 14: /* Takes its parent's right to open files. */
        harm(prlimit(getppid(), RLIMIT_NOFILE, &none, NULL) == 0);
        break;
    case 16: /* Hits of labels that there are none of. */
        hit(70);
        hit(-5);
        break;
    case 17: /* Stops its parent. */
        kill(getppid(), SIGSTOP);
        hit(2);
        break;
    case 18: /* Answers for its server, by the descriptors that it may have. */
        for (i = 3; i < 256; i++)
            close(i);
        (void)!write(204, "r", 1);
        hit(2);
        break;
    case 20: /* Slows its parent. */
        harm(setpriority(PRIO_PROCESS, getppid(), 19) == 0 || setpriority(PRIO_USER, 0, 19) == 0 ||
             setpriority(PRIO_PGRP, getpgid(getppid()), 19) == 0);
        break;
    case 31: /* Closes all that it has. */
        hit(2);
        for (i = 0; i < 1024; i++)
            close(i);
        break;
    case 37: /* Writes verdicts into all of its descriptors. */
        hit(2);
        ftruncate(3, 0);
        for (i = 3; i < 256; i++)
            if (i != 204) {
                (void)!write(i, "verdict", 7);
                (void)!ftruncate(i, 0);
            }
        break;
    case 38: /* Puts other memory in the place of what it shares. */
        at = shared(&size);
        hit(2);
        if (at)
            mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        hit(4);
        break;
    case 39: /* Unmaps what it shares. */
        at = shared(&size);
        hit(2);
        if (at)
            munmap(at, size);
        hit(4);
        break;
    case 40: /* Overwrites what it shares. */
        at = shared(&size);
        if (at)
            memset(at, 1, size);
        break;
    case 41: /* Forbids itself what it shares. */
        at = shared(&size);
        hit(2);
        if (at)
            mprotect(at, size, PROT_NONE);
        hit(4);
        break;
    case 42: /* Becomes a server of its own. */
        hit(2);
        execl("/proc/self/exe", "replay", "--klabel-serve", (char *)NULL);
        break;
    case 44: /* Goes on in another frame. */
        hit(2);
        leaves();
        break;
    case 53: /* Writes to the files of the first process. */
        harm(tries("/proc/1/mem") || tries("/proc/1/oom_score_adj") || tries("/proc/1/fd/2"));
        break;
    case 54: /* Kills its group. */
        hit(2);
        kill(0, SIGKILL);
        break;
    case 55: /* Kills its parent's group. */
        setpgid(0, getpgid(getppid()));
        killpg(getpgid(getppid()), SIGKILL);
        hit(2);
        break;
    case 62: /* All signals for its parent. */
        for (i = 1; i < 65; i++)
            kill(getppid(), i);
        hit(2);
        break;
    case 73: /* Its streams are devices. */
        hit(2);
        fclose(stdin);
        fclose(stdout);
        fclose(stderr);
        for (i = 0; i < 300; i++)
            dup2(open("/dev/zero", O_RDWR), i);
        break;
    case 74: /* The verdict is not in its memory. */
        harm(has_result());
        break;
    case 75: /* Maps another part of what it shares: not the verdict. */
        at = shared(&size);
        harm(at && syscall(SYS_remap_file_pages, at, 4096, 0, 0, 0) == 0 && memcmp(at, "KLABELRP", 8) == 0);
        break;
    case 76: /* Reads on behind what it shares: the test is not there. */
        at = shared(&size);
        hit(2);
        if (pipe(fds) != 0 || at == NULL)
            return;
        at = (char *)mremap(at, size, size + 4096, MREMAP_MAYMOVE);
        if (at != MAP_FAILED && write(fds[1], at + size, 5) == 5 && read(fds[0], path, 5) == 5 &&
            memcmp(path, "KTEST", 5) == 0)
            hit(3);
        break;
    case 78: /* Opens what it shares by another way. */
        at = shared(&size);
        snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)at, (unsigned long)(at + size));
        harm(open(path, O_RDWR) >= 0);
        break;
    case 85: /* Looks up what notes hits. A text that names it is refused. */
        snprintf(path, sizeof path, "klabel_%s", "hit");
        size = dlsym(RTLD_DEFAULT, path) != NULL;
        snprintf(path, sizeof path, "klabel_%s", "run");
        harm(size > 0 || dlsym(RTLD_DEFAULT, path));
        break;
    case 92: /* Kills the process that tests it. */
        harm(kill(PID, SIGKILL) == 0 || syscall(434 /* pidfd_open */, PID, 0) >= 0 ||
             syscall(SYS_tgkill, PID, PID, SIGKILL) == 0);
        break;
    case 100: /* Locks, and signals of descriptors for its parent. */
        hit(2);
        i = open("leased", O_RDWR | O_CREAT, 0666);
        fcntl(i, F_SETLEASE, F_WRLCK);
        flock(i, LOCK_EX);
        for (size = 0; size < 256; size++) {
            fcntl((int)size, F_SETOWN, getppid());
            fcntl((int)size, F_SETSIG, SIGKILL);
            fcntl((int)size, F_SETFL, O_ASYNC | O_NONBLOCK);
        }
        break;
    case 101: /* Becomes a server that is watched, with a library of its own. */
        hit(2);
        setenv("LD_PRELOAD", "./as", 1);
        execl("/proc/self/exe", "r", "--klabel-serve-watched", (char *)NULL);
        break;
    case 102: /* Becomes itself, with another test, at a known address. */
        hit(2);
        personality(ADDR_NO_RANDOMIZE);
        execl("/proc/self/exe", "r", "/dev/zero", (char *)NULL);
        break;
    case 106: /* Its output is all of its descriptors. */
        for (i = 3; i < 256; i++)
            dup2(1, i);
        for (i = 3; i < 256; i++)
            (void)!write(i, "r", 1);
        hit(2);
        break;
    case 112: /* Looks for the verdict among its descriptors. */
        for (i = 0; i < 256; i++) {
            snprintf(path, sizeof path, "/proc/self/fd/%d", i);
            int fd = open(path, O_RDWR);
            char magic[8];
            if (fd >= 0 && pread(fd, magic, 8, 0) == 8 && memcmp(magic, "KLABELRP", 8) == 0)
                hit(3);
        }
        hit(2);
        break;
    case 123: /* Lets the kernel write where its hits are, when it ends. */
        at = shared(&size);
        hit(2);
        if (at)
            syscall(SYS_set_tid_address, at + 60);
        break;
    case 124: /* The same by another call. */
        at = shared(&size);
        hit(2);
        if (at)
            syscall(SYS_set_robust_list, at, 24);
        break;
    case 128: /* Its parent's place among the processes. */
        harm(syscall(SYS_ioprio_set, 1, getppid(), 1 << 13) == 0 ||
             syscall(SYS_sched_setaffinity, getppid(), 8, path) == 0 ||
             sched_setscheduler(getppid(), SCHED_IDLE, &none_first) == 0 ||
             syscall(SYS_migrate_pages, getppid(), 8, path, path) >= 0);
        break;
    case 129: /* Looks into its parent by other calls. */
        harm(syscall(SYS_perf_event_open, path, getppid(), -1, -1, 0) >= 0 ||
             syscall(SYS_kcmp, getppid(), getpid(), 0, 1, 1) >= 0 ||
             syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) >= 0 || syscall(440, getppid(), 0, 0, 0, 0) >= 0);
        break;
    case 135: { /* Kills whoever traces it. */
        FILE *f = fopen("/proc/self/status", "r");
        char line[256];
        i = 0;
        while (f && fgets(line, sizeof line, f))
            sscanf(line, "TracerPid: %d", &i);
        harm(i > 0 && kill(i, SIGKILL) == 0);
        break;
    }
    case 139: /* Punches holes into what it shares. */
        hit(2);
        at = shared(&size);
        if (at)
            madvise(at, size, MADV_REMOVE);
        hit(2);
        break;
    case 141: /* Shuts its descriptors, and changes what they are of. */
        for (i = 0; i < 256; i++) {
            shutdown(i, SHUT_RDWR);
            lseek(i, 0, SEEK_SET);
            ftruncate(i, 1 << 30);
            fchmod(i, 0);
        }
        hit(2);
        break;
    }
}

/* Processes and threads: many, for ever, out of sight. */
static void processes(int way)
{
    int i;
    pthread_t thread;

    switch (way) {
    case 2: /* Kills all that it may. */
        kill(-1, SIGKILL);
        hit(2);
        break;
    case 3: /* A fork bomb. */
        for (;;)
            if (fork() < 0)
                usleep(100);
    case 4: /* A daemon that no polite signal ends. */
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                signal(SIGTERM, SIG_IGN);
                forever();
            }
            _exit(0);
        }
        hit(2);
        break;
    case 5: /* A child that claims hits when the run is over. */
        if (fork() == 0) {
            usleep(300000);
            for (i = 2; i < 90; i++)
                hit(i);
            forever();
        }
        hit(2);
        break;
    case 19: /* Sees the process that tests it. */
        harm(kill(PID, 0) == 0);
        break;
    case 21: /* Children that print on when it has ended. */
        for (i = 0; i < 3; i++)
            if (fork() == 0)
                for (;;)
                    (void)!write(1, "spam spam spam\n", 15);
        hit(2);
        break;
    case 23: /* A shell, and what that leaves in the background. */
        (void)!system("sleep 97.31 & echo hello");
        hit(2);
        break;
    case 34: /* A daemon that forks on and on. */
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                setsid();
                for (;;)
                    if (fork() == 0)
                        pause();
                    else
                        usleep(1000);
            }
            _exit(0);
        }
        hit(2);
        break;
    case 45: /* A thread that hits labels on and on. */
        hit(2);
        pthread_create(&thread, NULL, stays, NULL);
        break;
    case 46: /* The same, when main is gone. */
        hit(2);
        pthread_create(&thread, NULL, stays, NULL);
        pthread_exit(NULL);
    case 48: /* A child that it shares its memory with never ends. */
        hit(2);
        if (vfork() == 0)
            forever();
        break;
    case 49: /* Such a child answers for the server. */
        hit(2);
        if (vfork() == 0) {
            for (i = 0; i < 256; i++)
                (void)!write(i, "rrrr", 4);
            _exit(0);
        }
        break;
    case 70: /* Lets go of its parent, and stays. */
        prctl(PR_SET_PDEATHSIG, 0);
        prctl(PR_SET_DUMPABLE, 0);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        if (fork() == 0) {
            setsid();
            forever();
        }
        hit(2);
        break;
    case 72: /* Children that stand still. */
        hit(2);
        for (i = 0; i < 3; i++)
            if (fork() == 0)
                for (;;)
                    raise(SIGSTOP);
        raise(SIGCONT);
        break;
    case 83: /* A child of its parent's. */
        if (syscall(SYS_clone, CLONE_PARENT | CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0) == 0) {
            hit(2);
            setsid();
            forever();
        }
        hit(2);
        break;
    case 103: /* Threads that nobody has set up spin. */
        hit(2);
        for (i = 0; i < 4; i++)
            if (syscall(SYS_clone, CLONE_VM | CLONE_FILES | CLONE_FS, calloc(1, 65536) + 65000, 0, 0, 0) == 0)
                for (;;) {
                }
        break;
    case 109: /* Children that nobody waits for. */
        hit(2);
        signal(SIGCHLD, SIG_IGN);
        for (i = 0; i < 300; i++)
            if (fork() == 0)
                _exit(i);
        break;
    case 110: /* Processes that are always new. */
        hit(2);
        for (i = 0; i < 3; i++)
            if (fork() == 0)
                for (;;) {
                    if (fork() > 0)
                        _exit(0);
                    setsid();
                }
        break;
    case 114: /* A daemon that makes files while they are removed. */
        if (fork() == 0) {
            setsid();
            for (;;) {
                mkdir("again", 0777);
                rmdir("again");
                close(open("more", O_CREAT, 0));
            }
        }
        hit(2);
        break;
    case 118: /* Daemons under a name that /proc does not quote. */
        hit(2);
        prctl(PR_SET_NAME, "x) Z 1 1 1 (\n");
        for (i = 0; i < 3; i++)
            if (fork() == 0) {
                setsid();
                forever();
            }
        break;
    case 122: /* Traces its child, which might hide what that does. */
        i = fork();
        if (i == 0)
            forever();
        harm(ptrace(PTRACE_SEIZE, i, 0, 0) == 0 || ptrace(PTRACE_ATTACH, i, 0, 0) == 0);
        break;
    case 132: /* Becomes a shell that kills all. */
        hit(2);
        execl("/bin/sh", "sh", "-c", "kill -9 -1; trap '' TERM; sleep 97.31 & exit 3", (char *)NULL);
        break;
    case 138: /* Ends while threads hit labels. */
        hit(2);
        for (i = 0; i < 8; i++)
            pthread_create(&thread, NULL, stays, NULL);
        usleep(3000);
        syscall(SYS_exit_group, 0);
    case 140: /* A daemon, by the book. */
        hit(2);
        chdir("/");
        fclose(stdin);
        for (i = 0; i < 1024; i++)
            close(i);
        setsid();
        if (fork() > 0)
            _exit(0);
        setsid();
        if (fork() > 0)
            _exit(0);
        prctl(PR_SET_NAME, "sleep");
        signal(SIGHUP, SIG_IGN);
        forever();
    }
}

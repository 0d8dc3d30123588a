/* Files: the user's own, and what is left for the next test. */
static void files(int way)
{
    int i;
    char path[64];

    switch (way) {
    case 6: /* Overwrites or removes the user's file. */
        harm(tries(VICTIM) || unlink(VICTIM) == 0);
        break;
    case 9: /* Leaves a file in /tmp, which it may. */
        harm(!tries("/tmp/left"));
        break;
    case 10: /* What 9 has left is gone. */
        harm(access("/tmp/left", F_OK) == 0);
        break;
    case 11: /* Folders that only their owner could empty. */
        for (i = 0; i < 100; i++) {
            snprintf(path, sizeof path, "f%d", i);
            mkdir(path, 0);
        }
        hit(2);
        break;
    case 12: /* What 11 has left is gone. */
        harm(access("f7", F_OK) == 0);
        break;
    case 13: /* Fills the working folder. */
        signal(SIGXFSZ, SIG_IGN);
        for (i = 0; i < 4000; i++) {
            snprintf(path, sizeof path, "g%d", i);
            int fd = open(path, O_WRONLY | O_CREAT, 0666);
            if (fd < 0 || ftruncate(fd, 0) || write(fd, malloc(1 << 20), 1 << 20) != 1 << 20) {
                hit(2);
                return;
            }
            close(fd);
        }
        hit(3);
        break;
    case 22: /* Renames the user's file, or takes its permissions. */
        harm(chmod(VICTIM, 0) == 0 || rename(VICTIM, VICTIM "2") == 0 || symlink("x", VICTIM "3") == 0);
        break;
    case 35: /* The user's file by a link to the root. */
        harm(symlink("/", "all") == 0 && tries("all" VICTIM));
        break;
    case 56: /* Fills shared memory. */
        hit(2);
        for (i = 0; i < 400; i++) {
            snprintf(path, sizeof path, "/dev/shm/%d", i);
            int fd = open(path, O_WRONLY | O_CREAT, 0666);
            if (fd < 0 || write(fd, malloc(1 << 20), 1 << 20) != 1 << 20)
                return;
        }
        hit(3);
        break;
    case 57: /* A disk of its own. */
        harm(mknod("disk", S_IFBLK | 0666, 8 << 8) == 0 && open("disk", O_RDWR) >= 0);
        break;
    case 71: /* Moves its working folder. */
        hit(2);
        (void)(rename(".", "/tmp/x") == 0 || chdir("..") || rmdir("."));
        (void)!symlink("/etc", "etc");
        break;
    case 88: /* The user's file by /proc. */
        harm(tries("/proc/1/root" VICTIM) || tries("/proc/self/root" VICTIM) ||
             tries("/proc/self/cwd/../../../../../../../.." VICTIM));
        break;
    case 89: /* The user's file by a descriptor that reads it. */
        i = open(VICTIM, O_RDONLY);
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        harm(tries(path) || ftruncate(i, 0) == 0 || fchmod(i, 0) == 0 || link(VICTIM, "linked") == 0);
        break;
    case 90: /* The user's file: its times, attributes, owner. */
        harm(utimensat(AT_FDCWD, VICTIM, NULL, 0) == 0 || setxattr(VICTIM, "user.x", "y", 1, 0) == 0 ||
             lchown(VICTIM, 4711, 4711) == 0);
        break;
    case 93: /* Takes all of the inodes. */
        hit(2);
        for (i = 0; i < 40000; i++) {
            snprintf(path, sizeof path, "/tmp/i%d", i); /* all of the inodes */
            if (mknod(path, S_IFREG | 0600, 0) != 0)
                break;
        }
        for (i = 0; i < 40000; i++) {
            snprintf(path, sizeof path, "j%d", i);
            if (mknod(path, S_IFREG | 0600, 0) != 0)
                return;
        }
        break;
    case 94: /* Folders a thousand deep. */
        hit(2);
        for (i = 0; i < 1000; i++)
            if (mkdir("deep", 0777) != 0 || chdir("deep") != 0)
                break;
        (void)!symlink("..", "up");
        chmod("..", 0);
        break;
    case 95: /* A file of a terabyte. */
        signal(SIGXFSZ, SIG_IGN);
        i = open("huge", O_RDWR | O_CREAT, 0666);
        harm(ftruncate(i, 1ll << 40) == 0 || pwrite(i, "x", 1, 1ll << 40) == 1 || fallocate(i, 0, 0, 1ll << 30) == 0);
        break;
    case 97: /* Other users' rights. */
        i = open("as", O_WRONLY | O_CREAT, 0777);
        fchmod(i, 06777);
        harm(setuid(4711) == 0 || setgid(4711) == 0 || setgroups(0, NULL) == 0 || fchown(i, 4711, 4711) == 0 ||
             prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0);
        break;
    case 98: /* Names that terminals and shells obey. */
        hit(2);
        for (i = 0; i < 300; i++) {
            memset(path, '\n', sizeof path - 1);
            path[sizeof path - 1] = 0;
            snprintf(path, sizeof path, "\033[2J\n%d\n-rf *", i);
            (void)!open(path, O_CREAT | O_WRONLY, 0);
        }
        chmod(".", 0);
        break;
    case 99: /* What 94, 95 and 97 have left is gone. */
        harm(access("huge", F_OK) == 0 || access("deep", F_OK) == 0 || access("as", F_OK) == 0 || tries("back") == 0);
        break;
    case 111: /* Writes to its own program. */
        harm(tries("/proc/self/exe") || truncate("/proc/self/exe", 0) == 0 || link("/proc/self/exe", "exe") == 0 ||
             unlink("/proc/self/exe") == 0);
        break;
    case 113: /* Links to the user's file and in rings. */
        (void)!symlink(VICTIM, "v");
        (void)!symlink("/", "slash");
        (void)!symlink("loop", "loop");
        mkdir("d", 0777);
        (void)!symlink(VICTIM, "d/v");
        chmod("v", 0);
        chmod("d", 0);
        hit(2);
        break;
    case 136: /* Locks the user's file. */
        i = open(VICTIM, O_RDONLY);
        fcntl(i, F_SETLEASE, F_RDLCK);
        flock(i, LOCK_EX | LOCK_NB);
        fcntl(i, F_NOTIFY, 0x3f);
        hit(2);
        break;
    }
}

/* What the kernel does for whoever may ask: network, mounts, devices, keys, settings. */
static void kernel(int way)
{
    int i;
    char path[64];
    size_t size = 0;

    switch (way) {
    case 15: /* Opens a socket to services of this machine. */
        harm(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
        break;
    case 43: /* A root folder or namespaces of its own. */
        harm(chroot(".") == 0 || syscall(SYS_unshare, 0x10000000) == 0 ||
             syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0) == 0);
        break;
    case 52: /* Mounts, unmounts, changes the root. */
        harm(mount("none", "/tmp", "tmpfs", 0, "") == 0 || umount2("/tmp", 2) == 0 ||
             syscall(SYS_pivot_root, ".", ".") == 0);
        break;
    case 58: /* Devices and settings of the machine. */
        harm(tries("/dev/mem") || tries("/dev/kmsg") || tries("/proc/sysrq-trigger") ||
             tries("/proc/sys/kernel/core_pattern") || tries("/sys/power/state"));
        break;
    case 59: /* Keys, programs in the kernel, modules. */
        harm(syscall(SYS_add_key, "user", "k", "v", 1, -3) >= 0 || syscall(SYS_bpf, 0, 0, 0) >= 0 ||
             syscall(SYS_init_module, 0, 0, "") == 0 || syscall(SYS_io_uring_setup, 8, path) >= 0);
        break;
    case 63: /* Leaves shared memory. */
        hit(2);
        i = shmget(4711, 4096, IPC_CREAT | 0666);
        if (i >= 0)
            strcpy((char *)shmat(i, NULL, 0), "left");
        break;
    case 64: /* What 63 has left is gone. */
        harm(shmget(4711, 4096, 0) >= 0);
        break;
    case 65: /* Leaves a queue. */
        hit(2);
        {
            struct mq_attr a = {0, 1, 8};
            mq_open("/left", O_CREAT | O_RDWR, 0666, &a);
        }
        break;
    case 66: /* What 65 has left is gone. */
        harm(mq_open("/left", O_RDWR) >= 0);
        break;
    case 77: /* Traces itself, reads or writes other processes' memory. */
        harm(syscall(SYS_userfaultfd, 0) >= 0 || ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ||
             syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0) >= 0 ||
             syscall(438 /* pidfd_getfd */, syscall(434 /* pidfd_open */, getppid(), 0), 3, 0) >= 0);
        break;
    case 84: /* The host of a virtual machine, the kernel's ciphers, raw devices. */
        for (i = 0, size = 0; i < 46; i++)
            if (i != AF_INET && i != AF_INET6 && i != AF_NETLINK)
                size +=
                    socket(i, SOCK_STREAM, 0) >= 0 || socket(i, SOCK_SEQPACKET, 0) >= 0 || socket(i, SOCK_RAW, 0) >= 0;
        harm(size > 0);
        break;
    case 86: /* Types at the user's terminal. */
        for (i = 0, size = 0; i < 3; i++)
            size += ioctl(i, TIOCSTI, "x") == 0 || errno != EPERM; /* whatever it is */
        harm(size > 0 || open("/dev/tty", O_RDWR) >= 0);
        break;
    case 91: /* The machine's name, clock and log. */
        harm(sethostname("x", 1) == 0 || acct(NULL) == 0 || syscall(SYS_adjtimex, 0) == 0 ||
             syscall(SYS_fanotify_init, 0, 0) >= 0 || syscall(SYS_syslog, 5, NULL, 0) == 0 ||
             syscall(SYS_vhangup) == 0 || syscall(SYS_open_by_handle_at, AT_FDCWD, path, O_RDWR) >= 0);
        break;
    case 104: /* Namespaces, by other calls. */
        harm(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0 ||
             syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0) == 0 || syscall(435 /* clone3 */, path, 0) == 0 ||
             syscall(SYS_setns, 0, 0) == 0);
        break;
    case 115: /* Mounts, by newer calls. */
        harm(syscall(428, AT_FDCWD, "/", 0) >= 0 || syscall(430, "tmpfs", 0) >= 0 ||
             syscall(429, -1, "", -1, "/", 4) >= 0 || syscall(442, AT_FDCWD, "/", 0, path, 32) >= 0);
        break;
    case 116: /* Confines itself. */
        hit(2);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        {
            unsigned long long none_of[2] = {0x1fff, 0};
            i = (int)syscall(444, none_of, 8, 0);
            syscall(446, i, 0);
        }
        tries("mine");
        break;
    case 127: /* Settings of the kernel and its own. */
        i = open("/proc/self/oom_score_adj", O_WRONLY);
        harm((i >= 0 && write(i, "-1000", 5) == 5) || tries("/proc/sys/vm/drop_caches") ||
             tries("/proc/self/uid_map") || tries("/proc/sys/kernel/pid_max"));
        break;
    case 131: /* Ends the machine. */
        harm(reboot(0xfee1dead) == 0 || reboot(0) == 0 || syscall(SYS_swapoff, "x") == 0 ||
             syscall(SYS_settimeofday, path, 0) == 0 || syscall(SYS_kexec_load, 0, 0, 0, 0) == 0 ||
             syscall(SYS_delete_module, "x", 0) == 0 || swapon("x", 0) == 0 || setdomainname("x", 1) == 0 ||
             iopl(3) == 0 || ioperm(0, 3, 1) == 0);
        break;
    case 137: /* Devices. */
        harm(open("/dev/ptmx", O_RDWR) >= 0 || open("/dev/fuse", O_RDWR) >= 0 || open("/dev/kvm", O_RDWR) >= 0 ||
             open("/dev/loop-control", O_RDWR) >= 0 || open("/dev/vsock", O_RDWR) >= 0 ||
             open("/dev/net/tun", O_RDWR) >= 0);
        break;
    case 144: /* Quotas, the log, the root, priorities. */
        harm(syscall(SYS_quotactl, 0, "/", 0, 0) == 0 || syscall(SYS_syslog, 2, path, 9) >= 0 || chroot("/") == 0 ||
             nice(-5) != -1);
        break;
    }
}

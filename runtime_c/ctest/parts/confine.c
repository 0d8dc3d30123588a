/* Keeps a process to its folder, as klabel does when it runs a test: a path that a test gives may be "/", and the
   function one that removes what it leads to. Nothing outside can be changed by then, no mode or owner, and no other
   process be sent a signal; files may be written, but not removed, where the tests stand, for measures of coverage.
   Where Linux has no landlock(7), tests that deal with files do not run, unless KLABEL_UNCONFINED is set. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__riscv))
extern long klabel_syscall(long number, ...) KLABEL_NAMED("syscall");

#if defined(__x86_64__)
enum { KLABEL_CLOSE = 3, KLABEL_KILL = 62, KLABEL_CAPSET = 126, KLABEL_PRCTL = 157, KLABEL_OPENAT = 257 };
enum { KLABEL_READLINKAT = 267, KLABEL_MACHINE = (int)0xc000003e };
#define KLABEL_MODES 90, 91, 92, 93, 94, 260, 268 /* chmod, fchmod, chown, fchown, lchown, fchownat, fchmodat */
#elif defined(__i386__)
enum { KLABEL_CLOSE = 6, KLABEL_KILL = 37, KLABEL_CAPSET = 185, KLABEL_PRCTL = 172, KLABEL_OPENAT = 295 };
enum { KLABEL_READLINKAT = 305, KLABEL_MACHINE = 0x40000003 };
#define KLABEL_MODES 15, 94, 182, 95, 16, 212, 207, 198, 298, 306 /* and those for numbers of 32 bits */
#else
enum { KLABEL_CLOSE = 57, KLABEL_KILL = 129, KLABEL_CAPSET = 91, KLABEL_PRCTL = 167, KLABEL_OPENAT = 56 };
#ifdef __aarch64__
enum { KLABEL_READLINKAT = 78, KLABEL_MACHINE = (int)0xc00000b7 };
#else
enum { KLABEL_READLINKAT = 78, KLABEL_MACHINE = (int)(sizeof(void *) == 8 ? 0xc00000f3 : 0x400000f3) };
#endif
#define KLABEL_MODES 52, 53, 54, 55
#endif
enum { KLABEL_MAKE_RULES = 444, KLABEL_ADD_RULE = 445, KLABEL_RESTRICT = 446, KLABEL_FCHMODAT2 = 452 };
enum { KLABEL_WRITE = 1 << 1, KLABEL_RMDIR = 1 << 4, KLABEL_MKREG = 1 << 8, KLABEL_TRUNCATE = 1 << 14 };
enum { KLABEL_CHANGES = 0x1ff2, KLABEL_REFER = 1 << 13, KLABEL_SIGNALS = 1 << 1 };

static void klabel_allow(int rules, const char *path, unsigned long long rights)
{
    struct {
        unsigned long long rights;
        int below;
    } __attribute__((packed)) rule;

    rule.rights = rights;
    rule.below = (int)klabel_syscall(KLABEL_OPENAT, -100, path, 010000000 /* O_PATH */, 0);
    if (rule.below >= 0) {
        klabel_syscall(KLABEL_ADD_RULE, rules, 1, &rule, 0);
        klabel_syscall(KLABEL_CLOSE, rule.below);
    }
}

/* Refuses changes of modes and owners, and, where landlock knows no signals, those to other processes. */
static int klabel_refuse(int self, int signals)
{
    static const unsigned modes[] = {KLABEL_MODES, KLABEL_FCHMODAT2};
    const int many = sizeof modes / sizeof modes[0];
    struct {
        unsigned short code;
        unsigned char yes, no;
        unsigned value;
    } filter[32];
    struct {
        unsigned short length;
        void *filter;
    } program;
    int n = 0;
    int i;
#define KLABEL_STEP(c, v, y, n_) \
    filter[n].code = (c); \
    filter[n].yes = (unsigned char)(y); \
    filter[n].no = (unsigned char)(n_); \
    filter[n++].value = (unsigned)(v)

    KLABEL_STEP(0x20, 4, 0, 0); /* the machine: calls of another one are not known here */
    KLABEL_STEP(0x15, KLABEL_MACHINE, 1, 0);
    KLABEL_STEP(0x06, 0x50001, 0, 0);
    KLABEL_STEP(0x20, 0, 0, 0); /* the number of the call */
    for (i = 0; i < many; i++) {
        KLABEL_STEP(0x15, modes[i], many - i + 3, 0);
    }
    KLABEL_STEP(0x15, signals ? KLABEL_KILL : ~0u, 0, 2);
    KLABEL_STEP(0x20, 16, 0, 0); /* to whom */
    KLABEL_STEP(0x15, self, 0, 1);
    KLABEL_STEP(0x06, 0x7fff0000, 0, 0); /* allowed */
    KLABEL_STEP(0x06, 0x50001, 0, 0);    /* EPERM */
    program.length = (unsigned short)n;
    program.filter = filter;
    return klabel_syscall(KLABEL_PRCTL, 22, 2, &program, 0, 0) == 0; /* PR_SET_SECCOMP */
}

static int klabel_confined(const char *own, const char *home, const char *from, int self)
{
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    unsigned header[2] = {0x20080522, 0};
    unsigned rights[6] = {1 << 1, 1 << 1, 0, 0, 0, 0}; /* of root's, that to open what belongs to others stays */
    unsigned long long rules[3] = {KLABEL_CHANGES, 0, 0};
    long version = klabel_syscall(KLABEL_MAKE_RULES, NULL, 0, 1);
    const unsigned files = KLABEL_WRITE | KLABEL_MKREG | KLABEL_TRUNCATE;
    char tests[4096];
    long length = klabel_syscall(KLABEL_READLINKAT, -100, "/proc/self/exe", tests, sizeof tests - 1);
    unsigned i;
    int set;

    if (version >= 2) {
        rules[0] |= KLABEL_REFER;
    }
    if (version >= 3) {
        rules[0] |= KLABEL_TRUNCATE;
    }
    if (version >= 6) {
        rules[2] = KLABEL_SIGNALS;
    }
    klabel_syscall(KLABEL_CAPSET, header, rights);
    klabel_syscall(KLABEL_PRCTL, 38, 1, 0, 0, 0); /* PR_SET_NO_NEW_PRIVS */
    set = version < 1 ? -1 : (int)klabel_syscall(KLABEL_MAKE_RULES, rules, version >= 6 ? 24 : 8, 0);
    if (set < 0) {
        return 0;
    }
    klabel_allow(set, own, rules[0]);
    klabel_allow(set, home, KLABEL_RMDIR); /* own is in it */
    for (i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        klabel_allow(set, devices[i], rules[0] & (KLABEL_WRITE | KLABEL_TRUNCATE));
    }
    while (length > 0 && tests[length - 1] != '/') {
        length--;
    }
    if (length > 1 && strncmp(tests, "/tmp/", (size_t)length) != 0) {
        tests[length] = '\0';
        klabel_allow(set, tests, rules[0] & files);
    }
    if (from[0] == '/' && from[1] != '\0') {
        klabel_allow(set, from, rules[0] & files);
    }
    length = klabel_syscall(KLABEL_RESTRICT, set, 0);
    klabel_syscall(KLABEL_CLOSE, set);
    return length == 0 && klabel_refuse(self, version < 6);
}
#else
#define klabel_confined(own, home, from, self) 0
#endif

/* Files that a program makes, reads, lists and removes in its folder. Runs natively, too, in an empty one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <errno.h>
#include <dirent.h>
#ifdef NATIVE
#define CHECK(c) do { if (!(c)) printf("line %d: %s\n", __LINE__, #c); } while (0)
#else
void klee_report_error(const char *, int, const char *, const char *);
#define CHECK(c) do { if (!(c)) klee_report_error("files.c", __LINE__, #c, "bad.err"); } while (0)
#endif

int main(void)
{
    char buf[100]; struct stat sb; int n; FILE *f; int fd;
    errno = 0; CHECK(open("nothing", O_RDONLY) == -1 && errno == ENOENT); errno = 0;
    CHECK(!fopen("nothing", "r") && errno == ENOENT); errno = 0;
    CHECK(stat("nothing", &sb) == -1 && errno == ENOENT); errno = 0;
    CHECK(access("nothing", F_OK) == -1 && errno == ENOENT);
    errno = 0; CHECK(close(77) == -1 && errno == EBADF); CHECK(read(77, buf, 1) == -1 && errno == EBADF);
    CHECK(!opendir("/klabelx/nothing")); CHECK(unlink("nothing") == -1); errno = 0;
    CHECK(lseek(99, 0, SEEK_SET) == -1 && errno == EBADF);
    f = fopen("klabel_tmp.txt", "w"); CHECK(f); CHECK(fprintf(f, "line %d\nsecond\n", 1) == 14);
    CHECK(ftell(f) == 14); fprintf(f, "%s", ""); CHECK(fclose(f) == 0);
    f = fopen("./klabel_tmp.txt", "r"); CHECK(f && fgets(buf, 100, f) && !strcmp(buf, "line 1\n"));
    CHECK(fgets(buf, 100, f) && !fgets(buf, 100, f) && feof(f) && !ferror(f)); rewind(f);
    CHECK(fgetc(f) == 'l'); CHECK(ungetc('x', f) == 'x' && ftell(f) == 0 && fgetc(f) == 'x');
    CHECK(fseek(f, -3, SEEK_END) == 0 && ftell(f) == 11 && fgetc(f) == 'n');
    CHECK(fputc('z', f) == EOF && ferror(f)); clearerr(f); CHECK(!ferror(f)); fclose(f);
    CHECK(stat("klabel_tmp.txt", &sb) == 0 && sb.st_size == 14 && S_ISREG(sb.st_mode) && sb.st_nlink == 1);
    f = fopen("klabel_tmp.txt", "a"); fputs("more", f); putc('!', f); fclose(f);
    f = fopen("klabel_tmp.txt", "r+");
    CHECK(fseek(f, 14, SEEK_SET) == 0 && fread(buf, 1, 50, f) == 5 && !memcmp(buf, "more!", 5));
    { fpos_t at; fseek(f, 3, SEEK_SET), fgetpos(f, &at), fseek(f, 1, SEEK_SET);
      CHECK(fsetpos(f, &at) == 0 && ftell(f) == 3); }
    fseek(f, 0, SEEK_SET); fwrite("LINE", 2, 2, f); fseek(f, 0, SEEK_SET); CHECK(fgetc(f) == 'L'); fclose(f);
    CHECK(remove("klabel_tmp.txt") == 0 && access("klabel_tmp.txt", 0) == -1);
    fd = open("klabel_b", O_RDWR | O_CREAT | O_TRUNC, 0644); CHECK(fd == 3);
    CHECK(write(fd, "hello", 5) == 5 && lseek(fd, 1, SEEK_SET) == 1 && read(fd, buf, 9) == 4 && buf[3] == 'o');
    CHECK(fstat(fd, &sb) == 0 && sb.st_size == 5); CHECK(ftruncate(fd, 2) == 0 && lseek(fd, 0, SEEK_END) == 2);
    CHECK(lseek(fd, 5, SEEK_SET) == 5 && write(fd, "x", 1) == 1 && pread(fd, buf, 10, 0) == 6);
    CHECK(!memcmp(buf, "he\0\0\0x", 6));
    int g = dup(fd); CHECK(g == 4 && lseek(g, 0, SEEK_CUR) == 6); close(fd);
    CHECK(dup2(g, 9) == 9 && close(9) == 0); CHECK(pwrite(g, "H", 1, 0) == 1); close(g);
    CHECK(open("klabel_b", O_CREAT | O_EXCL | O_WRONLY, 0600) == -1 && errno == EEXIST);
    fd = open("klabel_b", O_RDONLY); CHECK(fd == 3 && read(fd, buf, 1) == 1 && *buf == 'H');
    CHECK(write(fd, "a", 1) == -1 && errno == EBADF);
    CHECK(unlink("klabel_b") == 0 && read(fd, buf, 1) == 1 && *buf == 'e'); close(fd);
    fd = open("q1", O_CREAT | O_WRONLY, 0644); CHECK(read(fd, buf, 1) == -1 && errno == EBADF); close(fd);
    CHECK(rename("q1", "q2") == 0 && access("q1", 0) == -1 && access("q2", 0) == 0 && unlink("q2") == 0);
    CHECK(mkdir("klabel_d", 0755) == 0 && mkdir("klabel_d", 0755) == -1 && errno == EEXIST);
    fd = open("klabel_d/x", O_CREAT | O_WRONLY, 0644); CHECK(fd >= 0); close(fd);
    CHECK(rmdir("klabel_d") == -1 && (errno == ENOTEMPTY || errno == EEXIST)); DIR *dp = opendir("klabel_d");
    CHECK(dp); int k = 0; struct dirent *de; int seen = 0; while ((de = readdir(dp))) { k++;
    if (!strcmp(de->d_name, "x")) seen = 1; } CHECK(k == 3 && seen); closedir(dp);
    CHECK(stat("klabel_d", &sb) == 0 && S_ISDIR(sb.st_mode));
    CHECK(unlink("klabel_d/x") == 0 && rmdir("klabel_d") == 0);
    CHECK(open("nodir/x", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOENT);
    fd = open("/dev/null", O_WRONLY); CHECK(fd >= 0 && write(fd, "abc", 3) == 3); close(fd);
    f = fopen("/dev/zero", "rb"); CHECK(f && fread(buf, 1, 9, f) == 9 && buf[8] == 0); fclose(f);
    CHECK(getcwd(buf, 100) == buf && *buf == '/'); errno = 0; CHECK(!getcwd(buf, 0) && errno == EINVAL);
    strcat(buf, "/ab"); fd = open(buf, O_CREAT | O_WRONLY, 0600); CHECK(fd >= 0); close(fd);
    CHECK(access("ab", 0) == 0 && unlink("ab") == 0);
    fd = openat(AT_FDCWD, "klabel_at", O_RDWR | O_CREAT, 0600); CHECK(fd >= 0 && write(fd, "abc", 3) == 3);
    CHECK(pwrite(fd, "x", 1, 1) == 1 && pread(fd, buf, 3, 0) == 3 && !memcmp(buf, "axc", 3) && !close(fd));
    CHECK(fstatat(AT_FDCWD, "klabel_at", &sb, 0) == 0 && sb.st_size == 3); CHECK(!unlink("klabel_at"));
    f = fopen("klabel_at", "w+"); CHECK(f && fputs("0123456789", f) >= 0 && !fseeko(f, 4, SEEK_SET) && fgetc(f) == '4');
    CHECK(ftello(f) == 5 && !fclose(f) && !unlink("klabel_at"));
    CHECK(stat(".", &sb) == 0 && S_ISDIR(sb.st_mode)); f = tmpfile(); CHECK(f); fputs("hidden", f); rewind(f);
    CHECK(fgetc(f) == 'h'); fclose(f);
    CHECK(fileno(stdin) == 0 && fileno(stdout) == 1); f = fopen("yy", "w"); CHECK(fileno(f) == 3); fclose(f);
    unlink("yy"); CHECK(fseek(stdout, 0, 7) == -1);
    return 0;
}

/* time.h: the calendar, in UTC. */
#include "libc.h"

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

int snprintf(char *dst, size_t size, const char *format, ...);
long time(long *t);

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                     "September", "October", "November", "December"};

/* The number of a day, 0 for 1970-01-01, and back; years begin in March here. */
static long long day_number(long long year, int month, int day)
{
    long long era;
    unsigned long long of_era, of_year;
    year -= month < 2;
    era = (year >= 0 ? year : year - 399) / 400;
    of_era = (unsigned long long)(year - era * 400);
    of_year = (unsigned long long)((153 * ((month + 10) % 12) + 2) / 5 + day - 1);
    return era * 146097 + (long long)(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}

static struct tm *split(long long t, struct tm *out)
{
    long long number = t / 86400, second = t % 86400, era, year;
    unsigned long long of_era, years, of_year, month;
    if (second < 0) second += 86400, number--;
    out->tm_wday = (int)(((number + 4) % 7 + 7) % 7);
    out->tm_hour = (int)(second / 3600);
    out->tm_min = (int)(second / 60 % 60);
    out->tm_sec = (int)(second % 60);
    era = (number + 719468 >= 0 ? number + 719468 : number + 719468 - 146096) / 146097;
    of_era = (unsigned long long)(number + 719468 - era * 146097);
    years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = of_era - (365 * years + years / 4 - years / 100);
    month = (5 * of_year + 2) / 153;
    out->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    out->tm_mon = (int)((month + 2) % 12);
    year = (long long)years + era * 400 + (out->tm_mon < 2);
    out->tm_year = (int)(year - 1900);
    out->tm_yday = (int)(number - day_number(year, 0, 1));
    out->tm_isdst = 0;
    out->tm_gmtoff = 0;
    out->tm_zone = "GMT";
    return out;
}

struct tm *gmtime_r(const long *t, struct tm *out) { return split(*t, out); }

static struct tm shared;
struct tm *gmtime(const long *t) { return gmtime_r(t, &shared); }

static void zone(void) { klabel_gap("the local time zone is another one"); }

struct tm *localtime_r(const long *t, struct tm *out)
{
    zone();
    return gmtime_r(t, out);
}
struct tm *localtime(const long *t) { return localtime_r(t, &shared); }

long timegm(struct tm *tm)
{
    long long month = tm->tm_mon, year = tm->tm_year + 1900LL, t;
    year += month / 12;
    month %= 12;
    if (month < 0) month += 12, year--;
    t = day_number(year, (int)month, 1) + tm->tm_mday - 1;
    t = ((t * 24 + tm->tm_hour) * 60 + tm->tm_min) * 60 + tm->tm_sec;
    if (t != (long)t) return klabel_error(75);
    split(t, tm);
    return (long)t;
}
long mktime(struct tm *tm)
{
    zone();
    return timegm(tm);
}
double difftime(long a, long b) { return (double)a - (double)b; }

/* One field; NULL for those that are not written here. */
static const char *field(char c, const struct tm *tm, char *room, size_t size)
{
    int hour = tm->tm_hour % 12 ? tm->tm_hour % 12 : 12;
    if ((unsigned)tm->tm_wday > 6 || (unsigned)tm->tm_mon > 11) return NULL;
#define WRITE(...) (snprintf(room, size, __VA_ARGS__), room)
    switch (c) {
    case 'Y': return WRITE("%d", tm->tm_year + 1900);
    case 'y': return WRITE("%02d", (tm->tm_year % 100 + 100) % 100);
    case 'm': return WRITE("%02d", tm->tm_mon + 1);
    case 'd': return WRITE("%02d", tm->tm_mday);
    case 'e': return WRITE("%2d", tm->tm_mday);
    case 'H': return WRITE("%02d", tm->tm_hour);
    case 'I': return WRITE("%02d", hour);
    case 'M': return WRITE("%02d", tm->tm_min);
    case 'S': return WRITE("%02d", tm->tm_sec);
    case 'j': return WRITE("%03d", tm->tm_yday + 1);
    case 'w': return WRITE("%d", tm->tm_wday);
    case 'u': return WRITE("%d", tm->tm_wday ? tm->tm_wday : 7);
    case 'p': return tm->tm_hour < 12 ? "AM" : "PM";
    case 'a': return WRITE("%.3s", days[tm->tm_wday]);
    case 'A': return days[tm->tm_wday];
    case 'b': case 'h': return WRITE("%.3s", months[tm->tm_mon]);
    case 'B': return months[tm->tm_mon];
    case 'F': return WRITE("%d-%02d-%02d", tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday);
    case 'D': return WRITE("%02d/%02d/%02d", tm->tm_mon + 1, tm->tm_mday, (tm->tm_year % 100 + 100) % 100);
    case 'T': return WRITE("%02d:%02d:%02d", tm->tm_hour, tm->tm_min, tm->tm_sec);
    case 'R': return WRITE("%02d:%02d", tm->tm_hour, tm->tm_min);
    case 'n': return "\n";
    case 't': return "\t";
    case '%': return "%";
    }
    return NULL;
}

size_t strftime(char *dst, size_t size, const char *format, const struct tm *tm)
{
    size_t n = 0;
    char room[48];
    for (; *format; format++) {
        const char *s;
        room[0] = *format;
        room[1] = 0;
        s = room;
        if (*format == '%' && format[1]) {
            s = field(*++format, tm, room, sizeof room);
            if (!s) {
                klabel_gap("a field that strftime writes otherwise");
                s = "?";
            }
        }
        for (; *s; s++) {
            if (n + 1 >= size) return 0;
            dst[n++] = *s;
        }
    }
    if (n < size) dst[n] = 0;
    return n < size ? n : 0;
}

char *asctime(const struct tm *tm)
{
    static char text[40];
    strftime(text, sizeof text, "%a %b %e %T %Y\n", tm);
    return text;
}
char *ctime(const long *t) { return asctime(localtime(t)); }

struct klabel_moment {
    long seconds, parts;
};
int gettimeofday(struct klabel_moment *now, void *tz)
{
    (void)tz;
    klabel_gap("the clock shows other times");
    now->seconds = time(NULL);
    now->parts = 0;
    return 0;
}
int clock_gettime(int id, struct klabel_moment *now)
{
    (void)id;
    return gettimeofday(now, NULL);
}
int nanosleep(const struct klabel_moment *length, struct klabel_moment *left)
{
    (void)length;
    if (left) left->seconds = left->parts = 0;
    klabel_gap("sleep is never interrupted");
    return 0;
}

#include <stdarg.h>
struct S{int a:3; int b:5; float f,g;}; union U{int x; double d;};
static int tab[4]={1,2,3}; const char*names[]={"a","b"}; struct S gs={1,2}; int (*fp)(int);
int sum(int n,...){va_list ap;va_start(ap,n);int s=0;for(int i=0;i<n;i++)s+=va_arg(ap,int);va_end(ap);return s;}
struct P{float x,y;}; struct P mk(struct P p){p.x+=1;return p;}
long double ld(long double x){return x*2.5L;}
int main(int argc,char**argv){ struct S s=gs; s.a=argc; switch(argc){case 1: return 3; case 2: s.b=1;break; default: tab[argc&3]=5;} struct P p={1,2}; p=mk(p); int x; if(__builtin_add_overflow(argc,5,&x)) return 1; return sum(2,1,2)+tab[1]+(names[0][0]==*names[1]) + s.a + (int)ld(3.0L); }

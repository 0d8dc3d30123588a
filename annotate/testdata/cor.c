// criteria: WM-COR
int g(int);
int f(int a, int b, int *p) {
  if (a && b) return 1; //@ WM COR (a && b) != (a || b) ;; WM COR (a && b) != !!a ;; WM COR (a && b) != !!b
  if (a || b) return 2; //@ WM COR (a || b) != (a && b) ;; WM COR (a || b) != !!a ;; WM COR (a || b) != !!b
  if (p && *p) return 3; //@ WM COR p && !(*p)
  if (p == 0 || *p) return 4; //@ WM COR !(p == 0) && (*p)
  if (g(a) && g(b)) return 5; //@ WM COR klb_1_1 && !klb_1_2
  return a && b || p; //@ WM COR ((a && b) || p) != ((a && b) && p) ;; WM COR ((a && b) || p) != !!(a && b) ;; WM COR ((a && b) || p) != !!p ;; WM COR (a && b) != (a || b) ;; WM COR (a && b) != !!a ;; WM COR (a && b) != !!b
}

package csource

import "testing"

func TestBareDesignators(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int a[] = { [2] 5, [3] (f), [4] = 1, [0 ... 1] -1 };",
			"int a[]={[2]=5,[3]=(f),[4]=1,[0 ... 1]= -1};"},
		{"T a[] = { [1].x 5, [1].y = 2, [2][N + a[1]] {3}, [K] \"s\" };",
			"T a[]={[1].x=5,[1].y=2,[2][N+a[1]]={3},[K]=\"s\"};"},
		{"x = f(a, b[1]) + (c, d)[2]; { a[1] = 2; }", "x=f(a,b[1])+(c,d)[2];{a[1]=2;}"},
		{"{ [[unused]] int a; }", "{[[unused]]int a;}"},
		{"int a[] = { [1", "int a[]={[1"},
	} {
		if v := parserView([]byte(c.text), false); string(v.text) != c.want || len(v.text) != len(v.at) {
			t.Errorf("%s\nis read as %s\nwant       %s", c.text, v.text, c.want)
		}
	}
	mustLoad(t, "enum { A = 2 };\nint f(int x)\n{"+
		" static const int y[] = { [A] 7, [A + 1] 9 }; return y[x & 3] > 1 && x; }\n")
}

package toolchain

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name                   string
		given                  string
		compile, language      string
		link, machine, dialect string
	}{
		{name: "nothing"},
		{name: "macros and headers", given: "-I inc -Iinc2 -isystem /s -D A=1 -DB -U C -include a.h -imacros b.h -nostdinc",
			compile: "-I inc -Iinc2 -isystem /s -D A=1 -DB -U C -include a.h -imacros b.h -nostdinc"},
		{name: "an option is no value", given: "-D -DX -I -I",
			compile: "-D -DX -I -I"},
		{name: "standard", given: "-std=c99 -ansi -fwrapv -fno-builtin-memcpy -Wno-int-conversion",
			compile:  "-std=c99 -ansi -fwrapv -fno-builtin-memcpy -Wno-int-conversion",
			language: "-std=c99 -ansi -fwrapv -fno-builtin-memcpy -Wno-int-conversion"},
		{name: "target", given: "-m32 -march=i686 -target i386-linux-gnu --sysroot=/r", compile: "-m32 -march=i686 -target i386-linux-gnu --sysroot=/r",
			language: "-m32 -march=i686 -target i386-linux-gnu --sysroot=/r",
			link:     "-m32 -march=i686 -target i386-linux-gnu --sysroot=/r",
			machine:  "-m32 -march=i686 -target i386-linux-gnu --sysroot=/r", dialect: "-m32"},
		{name: "libraries", given: "-L dir -Ldir2 -l z -lm -Wl,--as-needed -Xlinker -rpath -Xlinker /x libx.a",
			link: "-L dir -Ldir2 -l z -lm -Wl,--as-needed -Xlinker -rpath -Xlinker /x libx.a"},
		{name: "threads", given: "-pthread -fopenmp", compile: "-pthread -fopenmp", language: "-fopenmp", link: "-pthread -fopenmp"},
		{name: "the build's own", given: "-c -o x.o -oy.o -O2 -g -ggdb3 -Wall -Wextra -Werror -pedantic -MD -MP -MF x.d -MT x -MQ x -fPIC -pie -static " +
			"-fsanitize=address,undefined -fno-sanitize-recover -fprofile-arcs --coverage -flto=auto -pipe " +
			"-save-temps -fvisibility=hidden x.c -x c -fdiagnostics-color=always -T link.ld"},
		{name: "gcc's own", given: "-fno-tree-vectorize -fipa-pta -fconserve-stack -fno-allow-store-data-races -fno-var-tracking-assignments -fanalyzer -fmax-errors=3 " +
			"-mindirect-branch=thunk-extern -mno-fp-ret-in-387 -mpreferred-stack-boundary=3 -specs=nano.specs " +
			"--param ssp-buffer-size=4 --param=x=1 -Wa,--noexecstack -frandom-seed=x"},
		{name: "gcc's, with something alike", given: "-fplan9-extensions", compile: "-fms-extensions", language: "-fms-extensions", dialect: "-fms-extensions"},
		{name: "types", given: "-fno-builtin -funsigned-char -fshort-enums", compile: "-fno-builtin -funsigned-char -fshort-enums",
			language: "-fno-builtin -funsigned-char -fshort-enums", dialect: "-funsigned-char"},
		{name: "64 bits are usual", given: "-m64", compile: "-m64", language: "-m64", link: "-m64", machine: "-m64"},
		{name: "handed to clang", given: "-Xclang -fno-x -Xclang -include -Xclang a.h -Xclang -load -Xclang p.so",
			compile:  "-Xclang -fno-x -Xclang -include -Xclang a.h -Xclang -load -Xclang p.so",
			language: "-Xclang -fno-x -Xclang -load -Xclang p.so", dialect: "-Xclang -fno-x"},
		{name: "handed to the preprocessor", given: "-Wp,-DX=1 -Wp,-MD,x.d -Xpreprocessor -DX -mllvm -x", compile: "-Wp,-DX=1 -Xpreprocessor -DX -mllvm -x",
			language: "-mllvm -x", dialect: "-mllvm -x"},
		{name: "unknown", given: "-frobnicate", compile: "-frobnicate", language: "-frobnicate", dialect: "-frobnicate"},
		{name: "without its value", given: "-DA -I", compile: "-DA"},
		{name: "a file that is not there", given: "@none", compile: "@none", language: "@none", dialect: "@none"},
	} {
		f := Flags(strings.Fields(c.given))
		for _, v := range []struct {
			name, want string
			got        Flags
		}{
			{"Compile", c.compile, f.Compile()}, {"Language", c.language, f.Language()}, {"Link", c.link, f.Link()},
			{"Machine", c.machine, f.Machine()}, {"Dialect", c.dialect, Flags{f.Dialect()}},
			{"Language of Language", c.language, f.Language().Language()}, {"Language of Compile", c.language, f.Compile().Language()},
		} {
			if got := strings.Join(v.got, " "); got != v.want {
				t.Errorf("%s: %s is %q, want %q", c.name, v.name, got, v.want)
			}
		}
	}
}

func TestResponseFilesAndPaths(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"all.rsp": "-DQ='a b' @more.rsp\n-L lib", "more.rsp": "-Iinc -I \"/abs\"",
		"loop.rsp": "-DL @loop.rsp", "pre.h": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := func(s string) string { return filepath.Join(dir, s) }
	equal := func(name string, got Flags, want ...string) {
		t.Helper()
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	given := Flags{"@all.rsp", "-include", "pre.h", "-include", "elsewhere.h", "-isystemsys", "-MF", "x.d",
		"--sysroot=r"}
	equal("In", given.In(dir), "-DQ=a b", "-I"+at("inc"), "-I", "/abs", "-L", at("lib"), "-include", at("pre.h"),
		"-include", "elsewhere.h",
		"-isystem"+at("sys"), "-MF", "x.d", "--sysroot="+at("r"))
	equal("Compile", Flags{"@" + at("more.rsp"), "-lz"}.Compile(), "-Iinc", "-I", "/abs")
	if got := (Flags{"@" + at("loop.rsp")}).In(dir); len(got) == 0 || got[0] != "-DL" {
		t.Errorf("a file that names itself: %q", got)
	}
	equal("FromCommand", FromCommand([]string{"arm-gcc", "@more.rsp", "-c", "-O2", "-frobnicate", "-mcpu=x",
		"-Wl,-Map=x", "-fno-tree-ch", "-mavx2", "-mssse3", "-lz", "-o", "a.o", "a.c", "-std=c99"}, dir),
		"-I"+at("inc"), "-I", "/abs", "-mavx2", "-mssse3", "-lz", "-std=c99")
	equal("FromCommand of nothing", FromCommand(nil, dir))
	equal("what would run or load a file, or write one", FromCommand(strings.Fields("cc "+
		"-fuse-ld=/d/ld --gcc-toolchain=/d -Wp,-load,/d/x.so -Wp,-D,A -Wp,-header-include-file,x "+
		"-Xpreprocessor -load -Xpreprocessor /d/x.so "+
		"-fplugin=/d/x.so -fpass-plugin=/d/x.so -Xclang -load -Xclang /d/x.so -mllvm -load=/d/x.so -B/d -specs=/d/s "+
		"-wrapper /d/ld -target x/../d --target=x/../d --config=/d/c --config /d/c -fno-integrated-as "+
		"-Wp,-D_FORTIFY_SOURCE=2,-UX -Xpreprocessor -DY --target=i386-linux"), dir),
		"-Wp,-D_FORTIFY_SOURCE=2,-UX", "-Xpreprocessor", "-DY", "--target=i386-linux")
}

func TestWords(t *testing.T) {
	got, err := Words("cc -DNAME=\\\"a\\ b\\\" '-DQ=x y' \"-DR=\\\"z\\\"\"\t-I. ''\r\n")
	if want := `cc|-DNAME="a b"|-DQ=x y|-DR="z"|-I.|`; err != nil || strings.Join(got, "|") != want {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Words(`cc 'a`); err == nil {
		t.Error("an open quote was accepted")
	}
}

// TestClangTakesWhatTheTableKeeps holds the table against clang: what it hands
// on, clang accepts.
func TestClangTakesWhatTheTableKeeps(t *testing.T) {
	tools, err := Probe(context.Background(), Want{})
	if err != nil {
		t.Fatal(err)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte("int x;\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"-std=": "c99", "--std=": "c99", "-finput-charset=": "UTF-8",
		"-fexec-charset=": "UTF-8", "-fmacro-prefix-map=": "a=b",
		"-ffile-prefix-map=": "a=b", "-ftls-model=": "initial-exec", "-fpack-struct=": "4", "-ffp-contract=": "off",
		"-ffp-model=":         "precise",
		"-fdenormal-fp-math=": "ieee", "-msse": "4.2", "-mavx": "2", "-Wno-": "unused", "-fbuiltin": ""}
	var all []string
	for _, r := range rows {
		for _, n := range strings.Fields(r.names) {
			v, ok := values[n]
			if r.role&(language|layout) == 0 || r.value != alone && !ok {
				continue
			}
			all = append(all, Flags{n + v}.Language()...)
		}
	}
	if len(all) < 30 {
		t.Fatalf("only %d options are tried", len(all))
	}
	if _, err := clang.CheckSyntax(context.Background(), file, append(all, "-w")); err != nil {
		t.Error(err)
	}
}

func TestNoNameTwice(t *testing.T) {
	n := 0
	for _, r := range rows {
		n += len(strings.Fields(r.names))
	}
	if n != len(table) {
		t.Errorf("%d names, %d of them different", n, len(table))
	}
}

func TestLibrariesStandLast(t *testing.T) {
	own, libs := splitLibraries(Flags{"-shared", "-L", "dir", "-l", "z", "-O2", "-lm", "x.a", "-Xlinker", "-lfake",
		"-I", "-lib"})
	if got := strings.Join(own, " "); got != "-shared -L dir -O2 -Xlinker -lfake -I -lib" {
		t.Errorf("before: %s", got)
	}
	if got := strings.Join(libs, " "); got != "-l z -lm x.a" {
		t.Errorf("after: %s", got)
	}
}

func FuzzFlags(f *testing.F) {
	f.Add("-I a -Xclang -D -l z -Wp,-MD,x @y -fno-tree-x")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "@") {
			return // files of this machine
		}
		given := Flags(strings.Fields(s))
		once := given.Language()
		if twice := once.Language(); strings.Join(once, " ") != strings.Join(twice, " ") {
			t.Errorf("%q: language %q, then %q", s, once, twice)
		}
		if again := given.Compile().Language(); strings.Join(once, " ") != strings.Join(again, " ") {
			t.Errorf("%q: language %q, of what compiles it %q", s, once, again)
		}
		for _, part := range []Flags{given.Compile(), given.Link(), given.In("/d"), FromCommand(given, "/d")} {
			if len(part) > len(given) {
				t.Errorf("%q: %q has more words", s, part)
			}
		}
	})
}

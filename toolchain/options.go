package toolchain

import "strings"

// role says for what a compiler's option counts.
type role uint8

const (
	header   role = 1 << iota // macros and headers: spent once a file is preprocessed
	language                  // the dialect, and what clang may assume
	layout                    // language that changes what types or operations are
	machine                   // the target: compiler, linker and runtime have to agree on it
	link                      // libraries
	other                     // not known here
	none     role = 0         // the build's own: output, warnings, optimisation, measurements
)

// value says where an option's value stands.
type value uint8

const (
	alone  value = iota // there is none
	next                // in the word after
	joined              // in the rest of the word
	either              // in the rest of the word or, where that is empty, in the next
)

// row is one entry of the table: names that are treated alike.
type row struct {
	names string
	value value
	role  role
	path  bool // the value is a path
}

// rows is all that klabel knows of compilers' options. The longest name that fits
// counts; -fno-x and -mno-x are x.
var rows = []row{
	{"-I -isystem -iquote -idirafter -iwithprefix -iwithprefixbefore -include -imacros", either, header, true},
	{"-isysroot -ivfsoverlay", next, header, true},
	{"-D -U -A -iprefix", either, header, false},
	{"-Xpreprocessor", next, header, false},
	{"-Wp,", joined, header, false},
	{"-undef -nostdinc -nostdlibinc -nobuiltininc -trigraphs -traditional-cpp", alone, header, false},
	{"-pthread -pthreads", alone, header | link, false},

	{"-std= --std= -Wno-", joined, language, false},
	{"-ansi -ffreestanding -fhosted -fwrapv -fstrict-aliasing -fstrict-overflow -fdelete-null-pointer-checks " +
		"-fgnu89-inline -fasm -fblocks -fdollars-in-identifiers -fcommon -fexceptions -fgnu-keywords -fdeclspec " +
		"-ffunction-sections -fdata-sections -fmath-errno -ftrapping-math", alone, language, false},
	{"-fbuiltin -finput-charset= -fexec-charset= -fmacro-prefix-map= -ffile-prefix-map= -ftls-model= " +
		"-flax-vector-conversions", joined, language, false},
	{"-fopenmp", joined, header | language | link, false},

	{"-fsigned-char -funsigned-char -fsigned-bitfields -funsigned-bitfields -fshort-enums -fshort-wchar -fpack-struct " +
		"-fms-extensions -fplan9-extensions -fms-compatibility -ftrapv -ffast-math -funsafe-math-optimizations " +
		"-ffinite-math-only -fassociative-math -freciprocal-math -frounding-math -fsigned-zeros", alone, layout, false},
	{"-fpack-struct= -ffp-contract= -ffp-model= -fdenormal-fp-math=", joined, layout, false},

	{"-m32 -m64 -mx32 -m16 -mms-bitfields -mlong-double-64 -mlong-double-80 -mlong-double-128 -maes -mpclmul -mbmi " +
		"-mbmi2 -mpopcnt -mlzcnt -mfma -mfma4 -mf16c -msha -mrdrnd -mrdseed -mmovbe -mcx16 -madx -mmmx -mssse3 " +
		"-mvaes -mvpclmulqdq -mgfni -mxsave -mxsaveopt -mxsavec -mxsaves -mfsgsbase -mtbm -mxop -mlwp -mprfchw " +
		"-mclflushopt -mclwb -mcrc32 -mwaitpkg -mrdpid -mptwrite -mshstk -mpku -msahf -mfxsr -mclzero -mmwaitx",
		alone, machine, false},
	{"--target= -march= -mabi= -msse -mavx", joined, machine, false},
	{"--sysroot= --gcc-toolchain=", joined, machine, true},
	{"-target -arch", next, machine, false},
	{"--sysroot", next, machine, true},

	{"-l", either, link, false},
	{"-L", either, link, true},
	{"-Wl, -fuse-ld=", joined, link, false},
	{"-u -Xlinker -z", next, link, false},

	// What the user's build writes, says and measures, and how it lays out its own program.
	{"-c -S -E -P -C -CC -H -v -p -pg -s -r -Q -w -M -MM -MD -MMD -MG -MP -MV -### -pipe -shared -static -static-pie " +
		"-static-libgcc -pie -no-pie -nopie -nostdlib -nodefaultlibs -nostartfiles -rdynamic -emit-llvm --coverage " +
		"--analyze --verbose -time -Qunused-arguments -remap", alone, none, false},
	{"-o -x -MF -MT -MQ -MJ -T -B", either, none, false},
	{"-e -Xassembler -Xanalyzer --param -aux-info -dumpbase -dumpdir -wrapper -include-pch -working-directory -rpath", next, none, false},
	{"-O -g -W -Wa, -pedantic -d -save-temps --save-temps --param= -specs= -rpath=", joined, none, false},
	{"-fsanitize -fprofile -fcoverage -ftest-coverage -finstrument -fxray -flto -fwhole-program -fsyntax-only " +
		"-fplugin -fPIC -fpic -fPIE -fpie -fplt -fvisibility -fsemantic-interposition -fdebug -fdiagnostics " +
		"-fcolor-diagnostics -fcaret-diagnostics -fshow-column -fmessage-length -ferror-limit -fmax-errors " +
		"-fmax-include-depth -ftemplate-backtrace-limit -frecord -fident -fverbose-asm -ftime-report -ftime-trace " +
		"-fmodules -fpch -fpreprocessed -mcmodel= -mtune= -mred-zone -mindirect-branch -mfunction-return -mretpoline " +
		"-mfentry -mrecord-mcount -mpreferred-stack-boundary -mincoming-stack-boundary -mstackrealign " +
		"-mstack-alignment -mstack-protector-guard -momit-leaf-frame-pointer -maccumulate-outgoing-args " +
		"-mskip-rax-setup -mfp-ret-in-387 -mfpmath= -minline -mprefer -mvzeroupper -mavx256", joined, none, false},

	// gcc's optimisations and reports: most are unknown to clang, none changes what C means.
	{"-falign -fallow-store-data-races -faggressive -fanalyzer -fasynchronous -fauto-inc-dec -fbranch -fcaller-saves " +
		"-fcall-saved -fcall-used -fcallgraph -fcanonical-system-headers -fcf-protection -fcheck -fchecking " +
		"-fcode-hoisting -fcombine -fcompare -fconserve-stack -fcprop -fcrossjumping -fcse -fcx -fdce -fdefer-pop " +
		"-fdevirtualize -fdse -fdump -fearly-inlining -feliminate -femit -fextended-identifiers -ffat-lto-objects " +
		"-ffixed- -ffloat-store -fforward-propagate -ffunction-cse -fgcse -fgraphite -fgnu-tm -fgnu-unique " +
		"-fguess-branch -fharden -fhoist -fif-conversion -findirect -finline -fipa -fira -fisolate -fivopts " +
		"-fjump-tables -fkeep -flifetime-dse -flimit -flive -floop -flra -fmem-report -fmerge -fmodulo -fmove-loop " +
		"-fomit-frame-pointer -foptimize -fopt-info -fpartial -fpeel -fpeephole -fpredictive -fprefetch " +
		"-fprintf-return-value -frandom-seed -free -fregmove -frename -freorder -frerun -freschedule -freport-bug " +
		"-fsched -fsection-anchors -fselective -fsel-sched -fshrink-wrap -fsimd-cost-model " +
		"-fsingle-precision-constant -fsplit -fssa -fstack -fstdarg-opt -fstore-merging -fstrict-volatile-bitfields " +
		"-fthread-jumps -ftoplevel-reorder -ftracer -ftrack-macro-expansion -ftree -funit-at-a-time -funroll " +
		"-funswitch -funwind-tables -fuse-linker-plugin -fvar-tracking -fvariable-expansion -fvect -fvpt -fweb " +
		"-fwide-exec-charset -fworking-directory -fwrapv-pointer -fzero-call-used-regs -fexcess-precision= " +
		"-fpermissive", joined, none, false},

	{"-Xclang", next, other, false},
	{"-mllvm", next, other, false},
	{"-", joined, other, false},
}

var table = func() map[string]row {
	m := map[string]row{}
	for _, r := range rows {
		for _, n := range strings.Fields(r.names) {
			m[n] = r
		}
	}
	return m
}()

// find returns the row of a word and the name that fits: the longest one.
func find(word string) (r row, name string) {
	plain := word
	for _, prefix := range []string{"-f", "-m"} {
		if rest, ok := strings.CutPrefix(word, prefix+"no-"); ok {
			plain = prefix + rest
		}
	}
	if r, ok := table[plain]; ok {
		return r, word
	}
	for n := len(plain) - 1; n > 0; n-- {
		if r, ok := table[plain[:n]]; ok && (r.value == joined || r.value == either) {
			return r, word[:len(word)-len(plain)+n]
		}
	}
	return row{role: other}, word
}

// harmless reports whether an option of a command does nothing but say what C means
// and where its headers and libraries are. What is handed on by another way than
// clang's own options may be any option of its parts: to load code, to write files.
func (o option) harmless() bool {
	switch o.name {
	case "-Wl,", "-Xlinker", "-fuse-ld=", "--gcc-toolchain=":
		return false
	case "-Wp,":
		return onlyHeaders(strings.Split(strings.TrimPrefix(o.words[0], o.name), ","))
	case "-Xpreprocessor":
		return onlyHeaders(o.words[1:])
	case "-target", "-arch", "--target=": // part of the names of programs that are looked for
		return !strings.Contains(o.words[len(o.words)-1], "/")
	}
	return true
}

// onlyHeaders reports whether all of these are macros and folders of headers, whole.
func onlyHeaders(words []string) bool {
	for _, w := range words {
		r, name := find(w)
		if r.role != header || !strings.Contains("-D -U -I -isystem -iquote -idirafter -undef -nostdinc", name) ||
			r.value != alone && w == name {
			return false
		}
	}
	return true
}

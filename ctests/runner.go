package ctests

import (
	"fmt"
	"slices"
	"strings"

	"klabel/input"
)

// runner writes the file that brings the tests together. With record set it
// prints what the program does instead of checking it.
func runner(tests []*written, o Options, record bool) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	style := o.Style
	if record {
		style = Plain
	}
	p("/* Runs the tests of %s. Compile this file alone:", o.Include)
	switch style {
	case CMocka:
		p("       cc -o run_tests run_tests.c -lcmocka -lm && ./run_tests")
	case Check:
		p("       cc -o run_tests run_tests.c $(pkg-config --cflags --libs check) -lm && ./run_tests")
	case Unity:
		p("       cc -o run_tests -I UNITY UNITY/unity.c run_tests.c -lm && ./run_tests")
	default:
		p("       cc -o run_tests run_tests.c -lm && ./run_tests")
	}
	p("   KLABEL_SOURCE names another file to test in place of the source. */")
	p("#include <limits.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
	s.WriteString(frameworks[style].includes)
	// Between the quotation marks of #include nothing is escaped.
	p("\n#ifndef KLABEL_SOURCE\n#define KLABEL_SOURCE \"%s\"\n#endif", o.Include)
	p("#ifndef cov_label\n#define cov_label(...) ((void)0)\n#endif\n#ifndef pc_label\n#define pc_label(...) ((void)0)\n#endif\n")
	main := ""
	if o.Driver == nil {
		main = programMain
	} else if o.Driver.Main != "" {
		main = o.Driver.Main
	}
	if main != "" {
		p("#define main %s", main)
	}
	p("#include KLABEL_SOURCE")
	if main != "" {
		p("#undef main")
	}
	p("")
	if o.Driver != nil {
		s.WriteString(stubs(o.Driver))
	}
	gives := slices.ContainsFunc(tests, func(t *written) bool { return t.gives })
	if o.Driver == nil || o.asks || gives {
		s.WriteString(inputRuntime)
		if gives {
			s.WriteString(giver)
		}
		if slices.ContainsFunc(tests, func(t *written) bool { return t.stdin }) {
			s.WriteString(stdinGiver)
		}
		s.WriteString(nondet(o.Objects))
		s.WriteString(verifier)
	}
	if style == Plain {
		s.WriteString(plainChecks)
	}
	for _, t := range tests {
		if record {
			s.WriteString(t.recording(o))
		} else {
			p("#include %q", t.file())
		}
	}
	p("")
	s.WriteString(mains[style](tests))
	return s.String()
}

const programMain = "klabel_program_main"

// stubs defines the functions that the source lacks, with a queue of values
// for each.
func stubs(d *input.Driver) string {
	var s strings.Builder
	for _, u := range d.Undefined {
		s.WriteString(u + "\n")
	}
	for _, c := range d.Calls {
		if c.Result != nil && c.Value == "" {
			declareQueue(&s, c.Function+"_returns", c.Result.Type)
		}
		for i, o := range c.Outputs {
			declareQueue(&s, fmt.Sprintf("%s_writes_%d", c.Function, i+1), o.Type)
		}
		if c.Static {
			s.WriteString("static ")
		}
		s.WriteString(c.Head + "\n{\n")
		for i, o := range c.Outputs {
			q := fmt.Sprintf("%s_writes_%d", c.Function, i+1)
			fmt.Fprintf(&s, "    if (%s != NULL && %s_left > 0) {\n        memcpy(%s, %s++, %d);\n        %s_left--;\n    }\n",
				c.Through[i], q, c.Through[i], q, o.Type.Size, q)
		}
		switch {
		case c.Value != "":
			fmt.Fprintf(&s, "    return %s;\n", c.Value)
		case c.Result != nil:
			q := c.Function + "_returns"
			zero := "(" + strings.TrimSpace(c.Result.Type.Declare("")) + "){0}"
			fmt.Fprintf(&s, "    return %s_left-- > 0 ? *%s++ : %s;\n", q, q, zero)
		}
		s.WriteString("}\n\n")
	}
	return s.String()
}

func declareQueue(s *strings.Builder, name string, t *input.Type) {
	fmt.Fprintf(s, "/* What %s gives, one value a call. */\n", strings.TrimSuffix(name, "_returns"))
	fmt.Fprintf(s, "static %s;\nstatic int %s_left;\n\n", t.Declare("*"+name), name)
}

const plainChecks = `static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition); \
            failures++; \
        } \
    } while (0)

`

// mains write the end of the runner. The plain one gives each test a process
// of its own where there is fork, as frameworks do.
var mains = map[Style]func([]*written) string{
	Plain: func(tests []*written) string {
		var s strings.Builder
		s.WriteString("static const struct {\n    const char *name;\n    void (*run)(void);\n} tests[] = {\n")
		for _, t := range tests {
			fmt.Fprintf(&s, "    {%q, %s},\n", t.function(), t.function())
		}
		s.WriteString("    {NULL, NULL},\n};\n\n" + plainMain)
		return s.String()
	},
	CMocka: func(tests []*written) string {
		var s strings.Builder
		s.WriteString("int main(void)\n{\n    const struct CMUnitTest tests[] = {\n")
		for _, t := range tests {
			fmt.Fprintf(&s, "        cmocka_unit_test(%s),\n", t.function())
		}
		s.WriteString("    };\n\n    return cmocka_run_group_tests(tests, NULL, NULL);\n}\n")
		return s.String()
	},
	Unity: func(tests []*written) string {
		var s strings.Builder
		s.WriteString("void setUp(void)\n{\n}\n\nvoid tearDown(void)\n{\n}\n\nint main(void)\n{\n    UNITY_BEGIN();\n")
		for _, t := range tests {
			fmt.Fprintf(&s, "    RUN_TEST(%s);\n", t.function())
		}
		s.WriteString("    return UNITY_END();\n}\n")
		return s.String()
	},
	Check: func(tests []*written) string {
		var s strings.Builder
		s.WriteString("int main(void)\n{\n    Suite *suite = suite_create(\"klabel\");\n    TCase *tcase = tcase_create(\"tests\");\n    SRunner *runner;\n    int failed;\n\n")
		for _, t := range tests {
			fmt.Fprintf(&s, "    tcase_add_test(tcase, %s);\n", t.function())
		}
		s.WriteString("    suite_add_tcase(suite, tcase);\n    runner = srunner_create(suite);\n    srunner_run_all(runner, CK_NORMAL);\n    failed = srunner_ntests_failed(runner);\n    srunner_free(runner);\n    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;\n}\n")
		return s.String()
	},
}

const plainMain = `#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#define HAVE_FORK 1
#endif

/* Runs all tests, or those named. The exit code is 0 when all pass. */
int main(int argc, char **argv)
{
    int failed = 0;
    int ran = 0;
    int i;

    for (i = 0; tests[i].name != NULL; i++) {
        int wanted = argc == 1;
        int k;

        for (k = 1; k < argc; k++) {
            wanted |= strcmp(argv[k], tests[i].name) == 0;
        }
        if (!wanted) {
            continue;
        }
        ran++;
#ifdef HAVE_FORK
        if (argc != 2) {
            int status = 0;
            pid_t child;

            fflush(stdout);
            child = fork();
            if (child == 0) {
                tests[i].run();
                exit(failures != 0);
            }
            if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
                printf("%s: failed\n", tests[i].name);
                failed++;
            }
            continue;
        }
#endif
        tests[i].run();
        failed += failures != 0;
        failures = 0;
    }
    printf("%d tests, %d failed\n", ran, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
`

// verifier defines the other functions of the competitions; a program's own
// definitions win.
const verifier = `#if defined(__GNUC__)
__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) void sc_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) void reach_error(void)
{
    abort();
}
#endif

`

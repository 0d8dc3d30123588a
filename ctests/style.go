package ctests

import (
	"fmt"

	"klabel/input"
)

// framework is how a style writes things.
type framework struct {
	header string // a part of runtime_c, "" where there is nothing to include
	open   string // a test function; %s is its name
	close  string
	truth  func(cond string) string
	check  func(c check, value string) string
}

// includes are the framework's headers.
func (f framework) includes() string {
	if f.header == "" {
		return ""
	}
	return part(f.header)
}

// equal is the condition that an observed value holds.
func equal(c check, value string) string {
	switch {
	case c.typ.Kind == input.Pointer && value == "NULL":
		return c.expr + " == NULL"
	case c.typ.Kind == input.Pointer:
		return c.expr + " != NULL"
	case value == "NAN":
		return c.expr + " != " + c.expr // isnan is not in every standard
	}
	return c.expr + " == " + value
}

func asserts(macro string) func(check, string) string {
	return func(c check, value string) string { return macro + "(" + equal(c, value) + ");" }
}

func truths(macro string) func(string) string {
	return func(cond string) string { return macro + "(" + cond + ");" }
}

// integral reports whether a framework's own comparison of integers fits.
func integral(c check) bool {
	return (c.typ.Kind == input.Int || c.typ.Kind == input.Enum || c.typ.Kind == input.Bool) && c.typ.Size <= 4
}

// cxx are frameworks in C++: the tests are C, and a file in C++ names them.
var cxx = framework{
	open: "static void %s(void)\n{", close: "}",
	truth: truths("CHECK"), check: asserts("CHECK"),
}

var frameworks = map[Style]framework{
	Plain: {
		open: "static void %s(void)\n{", close: "}",
		truth: truths("CHECK"), check: asserts("CHECK"),
	},
	CMocka: {
		header: "cmocka_headers",
		open:   "static void %s(void **state)\n{\n    (void)state;", close: "}",
		truth: truths("assert_true"),
		check: func(c check, value string) string {
			if integral(c) {
				return fmt.Sprintf("assert_int_equal(%s, %s);", c.expr, value)
			}
			return "assert_true(" + equal(c, value) + ");"
		},
	},
	Unity: {
		header: "unity_headers",
		open:   "static void %s(void)\n{", close: "}",
		truth: truths("TEST_ASSERT_TRUE"),
		check: func(c check, value string) string {
			if integral(c) && c.typ.Signed {
				return fmt.Sprintf("TEST_ASSERT_EQUAL_INT(%s, %s);", value, c.expr)
			}
			return "TEST_ASSERT_TRUE(" + equal(c, value) + ");"
		},
	},
	GoogleTest: cxx,
	CppUTest:   cxx,
	Check: {
		header: "check_headers",
		open:   "START_TEST(%s)\n{", close: "}\nEND_TEST",
		truth: truths("ck_assert"),
		check: func(c check, value string) string {
			if integral(c) && c.typ.Signed {
				return fmt.Sprintf("ck_assert_int_eq(%s, %s);", c.expr, value)
			}
			return "ck_assert(" + equal(c, value) + ");"
		},
	},
}

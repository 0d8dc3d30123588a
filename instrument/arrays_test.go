package instrument

import "testing"

func TestGuardedArrays(t *testing.T) {
	const head = "static void f(void)\n{\n    char kept[4];\n}\nvoid klabel_entry_1(void)\n{\n"
	for _, c := range []struct{ name, body, want string }{
		{"arrays", "    struct s *p;\n    struct s p_items[4];\n    const char *q_items[2][3];\n    p = p_items;\n}\n",
			"#define p_items (*klabel_at_p_items)\n#define q_items (*klabel_at_q_items)\n    struct s *p;\n" +
				"    struct s (*klabel_at_p_items)[4] = klabel_fuzz_array(sizeof *klabel_at_p_items);\n" +
				"    const char *(*klabel_at_q_items)[2][3] = klabel_fuzz_array(sizeof *klabel_at_q_items);\n" +
				"    p = p_items;\n}\n#undef p_items\n#undef q_items\n"},
		{"one that outlives the entry", "    static char a[3];\n}\n", "    static char a[3];\n}\n"},
		{"one that shares its name with a member", "    char a[3];\n    x.a = a;\n}\n", "    char a[3];\n    x.a = a;\n}\n"},
		{"none", "    int n;\n    return;\n}\n", "    int n;\n    return;\n}\n"},
	} {
		if got := guardedArrays(head + c.body); got != head+c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

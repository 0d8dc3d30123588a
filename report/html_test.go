package report

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"klabel/label"
)

// hostile is text that would end the script or the page's peace.
const hostile = `</script><img src=x onerror="document.title='hacked'">&lt;`

func page(t testing.TB, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := htmlPage(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageNeedsNothingElse: no address of anything, and no text of the program
// under test that the page would take for its own.
func TestPageNeedsNothingElse(t *testing.T) {
	r := sample(t, t.TempDir())
	r.Program, r.Rows[0].Predicate, r.Rows[3].Reason, r.Notes = hostile, hostile, hostile, []string{hostile}
	if err := os.WriteFile(r.Sources[0].Path, []byte(hostile+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := page(t, r)
	if i := strings.Index(got, "<img"); i >= 0 {
		t.Errorf("text became an element: %.200s", got[max(0, i-100):])
	}
	if m := regexp.MustCompile(`https?://|@import|url\(|<link|<script src|<img`).FindString(got); m != "" {
		t.Errorf("the page asks for something outside: %s", m)
	}
	if n := strings.Count(got, "</script>"); n != 2 {
		t.Errorf("%d ends of scripts, want 2", n)
	}
}

// browser finds one that can run without a screen.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium: what the page shows is not checked")
	return ""
}

// browse opens a page with a script of the test's in it, and returns what the
// script said: lines "name=value".
func browse(t *testing.T, chromium, text, width, script string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	drive := `<script>addEventListener("load", async () => {
  const said = [], say = (k, v) => said.push(k + "=" + v), tick = () => new Promise((r) => setTimeout(r, 300));
  const key = (k) => document.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
  const all = (q) => [...document.querySelectorAll(q)], text = (q) => { const e = document.querySelector(q); return e ? e.textContent.replace(/\s+/g, " ").trim() : "none"; };
  const go = async (hash) => { location.hash = hash; await tick(); };
  try { ` + script + ` } catch (e) { say("error", e); }
  const pre = document.createElement("pre"); pre.id = "said"; pre.textContent = said.join("\n"); document.body.append(pre);
  if (parent !== window) parent.postMessage(pre.textContent, "*");
});</script>`
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, []byte(strings.Replace(text, "</body>", drive+"</body>", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if w, err := strconv.Atoi(width); err != nil || w < 500 { // no window is as narrow as that, but a frame is
		path = filepath.Join(dir, "frame.html")
		frame := fmt.Sprintf(`<body><iframe src="page.html" width="%s" height="900" style="border:0"></iframe><script>
  addEventListener("message", (e) => { const pre = document.createElement("pre"); pre.id = "said"; pre.textContent = e.data; document.body.append(pre); });
</script></body>`, width)
		if err := os.WriteFile(path, []byte(frame), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--window-size="+width+",900",
		"--virtual-time-budget=20000", "--dump-dom", "file://"+path).Output()
	if err != nil {
		t.Fatalf("%s: %v", chromium, err)
	}
	m := regexp.MustCompile(`(?s)<pre id="said">(.*?)</pre>`).FindStringSubmatch(string(out))
	if m == nil {
		t.Fatalf("the page has not come to its end:\n%.2000s", out)
	}
	said := map[string]string{}
	for _, line := range strings.Split(html.UnescapeString(m[1]), "\n") {
		k, v, _ := strings.Cut(line, "=")
		said[k] = v
	}
	if said["error"] != "" {
		t.Fatalf("the page failed: %s", said["error"])
	}
	return said
}

func expect(t *testing.T, said, want map[string]string) {
	t.Helper()
	for k, w := range want {
		if said[k] != w {
			t.Errorf("%s: %q, want %q", k, said[k], w)
		}
	}
}

// TestPageInBrowser drives the page by mouse and keys and looks at what it shows.
func TestPageInBrowser(t *testing.T) {
	chromium := browser(t)
	r := sample(t, t.TempDir())
	r.Rows[6].Predicate = hostile
	r.Runs = []RunRow{{Number: 1, Engine: "native", Mode: "greybox", Entry: strings.Repeat("a_long_name_", 6)}}
	for _, width := range []string{"1300", "420"} {
		said := browse(t, chromium, page(t, r), width, `
  say("inner", innerWidth);
  say("brand", text(".brand"));
  say("share", text(".hero strong"));
  say("legend", text(".legend"));
  say("alert", text(".note.bad"));
  say("areas", all(".treemap a").length);
  say("functions", all("#functions tbody tr").length);
  say("worst", text("#functions tbody tr td"));
  document.querySelector("[data-sort=name]").click();
  say("first by name", text("#functions tbody tr td"));
  say("wide", document.documentElement.scrollWidth <= innerWidth);

  all("details").forEach((d) => { d.open = true; });
  say("open wide", document.documentElement.scrollWidth <= innerWidth);

  await go("source/0/3");
  say("lines", all(".row").length);
  say("open lines", all(".row.open").map((r) => r.id).join(" "));
  say("cards", all(".card").length);
  say("statuses", all(".card .head b").map((b) => b.textContent).join(" "));
  say("proof", text(".card.l-infeasible p"));
  document.querySelector("[data-show]").click();
  say("c", text(".card pre"));
  document.querySelector("[data-status=infeasible]").click();
  say("filtered", all(".row .m").map((m) => m.textContent).join(" "));
  key("x");
  say("unfiltered", all(".row .m").map((m) => m.textContent).join(" "));
  key("n");
  say("next open", all(".row.here").map((r) => r.id).join(" "));
  key("n");
  say("next again", all(".row.here").map((r) => r.id).join(" "));
  say("source wide", document.documentElement.scrollWidth <= innerWidth);

  key("3"); await tick();
  say("labels", all("#list tr").length);
  say("title", document.title.includes("hacked"));
  say("search", (() => { const s = document.querySelector("#search"); s.value = "s[0]"; s.dispatchEvent(new Event("input", {bubbles: true})); return s.value; })());
  await tick(); await tick();
  say("found", all("#list tr").length);
  key("x");
  const c = document.querySelector("#criterion"); c.value = "MCC"; c.dispatchEvent(new Event("change", {bubbles: true}));
  say("of MCC", all("#list tr").length);
  key("x");
  say("labels wide", document.documentElement.scrollWidth <= innerWidth);
  await go("labels/6");
  say("by number", location.hash);
  say("tried", all(".card .soft").map((p) => p.textContent).filter((s) => s.startsWith("tried")).length);

  key("4"); await tick();
  say("tests", all("#list tr").length);
  key("j"); key("Enter");
  say("test", text("tr.test pre"));
  key("5"); await tick();
  say("finding", text(".card .head"));
  const before = document.documentElement.dataset.theme; key("t");
  say("theme", before !== document.documentElement.dataset.theme);
  key("?");
  say("help", document.querySelector("#keys").open);`)
		expect(t, said, map[string]string{"inner": width, "brand": "klabel sample and another file",
			"share": "33.3 %", "legend": "✓ 2 covered○ 2 unknown∅ 1 infeasible≡ 1 duplicate⊂ 1 subsumed", "areas": "2",
			"functions": "3", "worst": "f 1 entryf: 3 tests, every path seen",
			"alert":         "CONTRADICTION: label 2 is covered by test000002, and eva says: no input satisfies it",
			"first by name": "f 1 entryf: 3 tests, every path seen", "wide": "true", "open wide": "true", "lines": "7",
			"open lines": "L3 L5", "cards": "4", "statuses": "✓ covered ✓ covered ≡ duplicate ∅ infeasible",
			"proof": `Proof eva: no value of y satisfies it, "whatever" x is`, "c": "/* test000001. Covers CC 1. */ static void test_000001(void) { CHECK(f(4, 2) == 1); }",
			"filtered": "0/0", "unfiltered": "2/3 0/1", "next open": "L3", "next again": "L5", "source wide": "true",
			"labels": "7", "title": "false", "found": "1", "of MCC": "2", "labels wide": "true",
			"by number": "#source/1/3", "tried": "2",
			"tests":   "4",
			"test":    "/* test000001. Covers CC 1. */ static void test_000001(void) { CHECK(f(4, 2) == 1); }",
			"finding": "division by zero a.c:5", "theme": "true", "help": "true",
		})
	}
}

// TestLargePage: 20,000 labels are a page of some MB, and the browser shows it.
// How long that takes is written down, and decides nothing.
func TestLargePage(t *testing.T) {
	r := large(t, t.TempDir(), 20000)
	text := page(t, r)
	if len(text) > 6<<20 {
		t.Errorf("the page is of %d bytes", len(text))
	}
	said := browse(t, browser(t), text, "1300", `
  say("ready", document.body.dataset.ready);
  say("rows", all("#functions tbody tr").length);
  let begin = performance.now(); await go("source/3/40"); say("source", Math.round(performance.now() - begin) - 300);
  say("lines", all(".row").length);
  begin = performance.now(); await go("labels"); say("list", Math.round(performance.now() - begin) - 300);
  say("label rows", all("#list tr").length < 1000);`)
	t.Logf("%.1f MB; ms until the overview stands: %s; one source more: %s; the list more: %s", float64(len(text))/1e6,
		said["ready"], said["source"], said["list"])
	expect(t, said, map[string]string{"rows": "200", "lines": "581", "label rows": "true"})
}

// A result whose sources are gone still lists its labelled lines.
func TestPageWithoutSources(t *testing.T) {
	r := sample(t, t.TempDir())
	r.Sources, r.Functions = nil, nil
	said := browse(t, browser(t), page(t, r), "1000", `
  await go("source/0");
  say("lines", all(".row").map((r) => r.id).join(" "));
  say("functions", text(".files a.fn"));`)
	expect(t, said, map[string]string{"lines": "L3 L5", "functions": "f2/4"})
	r.Rows[0].Status = label.Deselected
	if said := browse(t, browser(t), page(t, r), "1000", `say("share", text(".hero strong"));`); said["share"] != "20.0 %" {
		t.Errorf("without a deselected label: %s, want 1 of 5", said["share"])
	}
}

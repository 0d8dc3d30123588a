package docker

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
	"go.yaml.in/yaml/v3"
)

// TestSchemas holds the files for many machines to schemas that say no less than those of
// Kubernetes and of Compose of what is used, and know nothing else: a name that is written
// wrong is an error. KLABEL_COMPOSE_SCHEMA names the file of the Compose specification.
func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		file, schema string
		wrong        []string // replaced, with what, in pairs
	}{
		{"kubernetes.yaml", "testdata/kubernetes.schema.json", []string{"replicas: 10", `replicas: "10"`,
			"restartPolicy: OnFailure", "restartPolicy: Always", "claimName", "claim", "port: 4222", "port: 422200",
			"readOnly: true", "readonly: true", "memory: 4Gi", "memory: 4GiB"}},
		{"compose.yaml", "testdata/compose.schema.json", []string{"cap_drop: [ALL]", "cap_drop: ALL", "read_only",
			"readonly", "restart: on-failure", "restart: onfailure"}},
		{"compose.yaml", os.Getenv("KLABEL_COMPOSE_SCHEMA"), []string{"cap_drop: [ALL]", "cap_drop: ALL"}},
	} {
		if c.schema == "" {
			continue
		}
		schema, err := os.ReadFile(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := against(t, schema, string(text)); len(wrong) > 0 {
			t.Errorf("%s, by %s: %v", c.file, c.schema, wrong)
		}
		for i := 0; i < len(c.wrong); i += 2 {
			spoilt := strings.Replace(string(text), c.wrong[i], c.wrong[i+1], 1)
			if spoilt == string(text) || len(against(t, schema, spoilt)) == 0 {
				t.Errorf("%s: %q is as good as %q", c.schema, c.wrong[i+1], c.wrong[i])
			}
		}
	}
}

// against says what of the documents of a file is not as a schema wants it.
func against(t *testing.T, schema []byte, text string) (out []gojsonschema.ResultError) {
	t.Helper()
	for d := yaml.NewDecoder(bytes.NewReader([]byte(text))); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		res, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewGoLoader(v))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, res.Errors()...)
	}
}

// TestCompose has Docker's own tool read the compose file, where it is.
func TestCompose(t *testing.T) {
	cmd := exec.Command("docker", "compose", "version")
	if cmd.Run() == nil {
		cmd = exec.Command("docker", "compose")
	} else if path, err := exec.LookPath("docker-compose"); err == nil {
		cmd = exec.Command(path)
	} else {
		t.Skip("neither docker compose nor docker-compose is here")
	}
	cmd.Args = append(cmd.Args, "-f", "compose.yaml", "--project-directory", "..", "config")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "image: klabel") {
		t.Errorf("%v\n%s", err, out)
	}
}

package docker

import (
	"bytes"
	"io"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestManifests reads the files for many machines: each is YAML, what belongs together
// has one name, and workers get the secret without the server's key.
func TestManifests(t *testing.T) {
	text, err := os.ReadFile("kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]map[string]any{}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m map[string]any
		if err := d.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		kinds[m["kind"].(string)] = m
	}
	at := func(v any, path ...string) any {
		for _, p := range path {
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("no %v", path)
			}
			v = m[p]
		}
		return v
	}
	worker := kinds["Deployment"]
	app := []string{"spec", "template", "metadata", "labels", "app"}
	if at(worker, "spec", "selector", "matchLabels", "app") != at(worker, app...) {
		t.Error("the Deployment does not select its own pods")
	}
	if at(kinds["Service"], "spec", "selector", "app") != at(kinds["Job"], app...) {
		t.Error("the Service does not select the coordinator")
	}
	volumes := at(worker, "spec", "template", "spec", "volumes").([]any)
	items := at(volumes[1], "secret", "items").([]any)
	if len(items) != 1 || at(items[0], "key") != "secret" {
		t.Errorf("workers get %v of the secret", items)
	}
	var compose struct {
		Services map[string]struct {
			Image   string
			Command []string
		}
	}
	if text, err = os.ReadFile("compose.yaml"); err == nil {
		err = yaml.Unmarshal(text, &compose)
	}
	if err != nil || len(compose.Services) != 2 || compose.Services["worker"].Command[0] != "work" ||
		compose.Services["coordinator"].Command[0] != "run" {
		t.Errorf("compose.yaml: %v %v", compose, err)
	}
}

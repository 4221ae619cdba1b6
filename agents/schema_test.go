package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaURL, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(SchemaURL) // checks it against the draft's own schema
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// instance is a YAML text as a schema sees it.
func instance(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(stringKeys(v))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func stringKeys(v any) any {
	switch v := v.(type) {
	case map[any]any:
		m := map[string]any{}
		for key, value := range v {
			m[fmt.Sprint(key)] = stringKeys(value)
		}
		return m
	case map[string]any:
		for key, value := range v {
			v[key] = stringKeys(value)
		}
	case []any:
		for i, value := range v {
			v[i] = stringKeys(value)
		}
	case float64:
		if data, err := json.Marshal(v); err != nil {
			return fmt.Sprint(v) // .nan and .inf
		} else {
			return json.RawMessage(data)
		}
	}
	return v
}

func TestSchemaIsSound(t *testing.T) {
	compiledSchema(t)
	if strings.Contains(string(Schema()), "null,") {
		t.Error("the schema has a value that is nothing")
	}
}

// TestSchemaTakesWhatLoadTakes and TestSchemaRefusesWhatLoadRefuses hold the two against each
// other, value by value.
func TestSchemaTakesWhatLoadTakes(t *testing.T) {
	schema := compiledSchema(t)
	for _, c := range keyCases() {
		if err := schema.Validate(instance(t, c.yaml)); err != nil {
			t.Errorf("%s: Load takes it, the schema says: %v", c.yaml, err)
		}
	}
}

func TestSchemaRefusesWhatLoadRefuses(t *testing.T) {
	schema := compiledSchema(t)
	for _, c := range badCases() {
		err := schema.Validate(instance(t, c.yaml))
		switch {
		case c.onlyLoad && err != nil:
			t.Errorf("%s: marked as only for Load, but the schema finds it too", c.yaml)
		case !c.onlyLoad && err == nil:
			t.Errorf("%s: Load refuses it, the schema takes it", c.yaml)
		}
	}
}

func TestSchemaDescribesEveryKey(t *testing.T) {
	eachKey(agentFile().rules, "", func(path string, s *spec) {
		if !strings.HasSuffix(s.doc, ".") && !strings.HasSuffix(s.doc, "?") {
			t.Errorf("%s has no description in sentences: %q", path, s.doc)
		}
	})
}

// TestEveryFieldHasItsKey fails when File gets a field that no key sets.
func TestEveryFieldHasItsKey(t *testing.T) {
	var schema struct{ Properties map[string]any }
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	// Named otherwise in the file, or not from the file.
	special := map[string]string{"LSPServers": "lsp", "ACPTitle": "acp", "ACPDescription": "acp",
		"Path": "", "Dir": "", "Depth": "", "Warnings": ""}
	left := schema.Properties
	for _, viaOther := range []string{"instructionsFile", "permissions"} {
		delete(left, viaOther)
	}
	var found []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[File]()) {
		if !field.IsExported() {
			continue
		}
		key, isSpecial := special[field.Name]
		for name := range left {
			if !isSpecial && strings.EqualFold(name, field.Name) {
				key = name
			}
		}
		if _, ok := left[key]; !ok && key != "" || key == "" && !isSpecial {
			t.Errorf("no key in the schema for File.%s", field.Name)
		}
		found = append(found, key)
	}
	for _, key := range found {
		delete(left, key)
	}
	for key := range left {
		t.Errorf("no field of File for the key %s", key)
	}
}

func TestDefaultsAreThoseOfTheSchema(t *testing.T) {
	f, err := Defaults(Env{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range agentFile().rules.fields {
		if s.def == nil {
			continue
		}
		name := strings.ToUpper(s.key[:1]) + s.key[1:]
		got := reflect.ValueOf(*f).FieldByName(name).Interface()
		if got != s.def {
			t.Errorf("%s is %v without a file, the table says %v", s.key, got, s.def)
		}
	}
}

// TestExamples reads every example as Load, as the schema and as a reader of all keys does.
func TestExamples(t *testing.T) {
	schema := compiledSchema(t)
	paths, err := filepath.Glob(filepath.Join("testdata", "examples", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"ACME_TOKEN": "tok-12345678"}
	for _, path := range paths {
		f, err := Load(path, Env{Dir: dir, Home: dir, Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if len(f.Warnings) > 0 {
			t.Errorf("%s: warnings: %v", path, f.Warnings)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance(t, string(data))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

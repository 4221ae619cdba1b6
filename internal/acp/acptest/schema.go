package acptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// NoSchema is the text of the skip where there is no schema.
const NoSchema = "acptest: schema not found (set MM_SHARED or MM_ACP_SDK): frames unchecked"

// schemaFiles are the names of the stable schema and the unstable one, below a folder that holds
// shared material and below the npm package @agentclientprotocol/sdk.
var (
	sharedFiles = [2]string{"acp/v1-npm-sdk-2.4.0-schema.json", "acp/v1-npm-sdk-2.4.0-schema.unstable.json"}
	sdkFiles    = [2]string{"schema/v1/schema.json", "schema/v1/schema.unstable.json"}
)

// FindSchema finds the protocol's schemas, stable and unstable: in $MM_SHARED/acp, in $MM_ACP_SDK
// (the folder of the npm package @agentclientprotocol/sdk, or one it is installed in), or in a
// folder shared/acp beside the repository or above it.
func FindSchema() (stable, unstable string, ok bool) {
	if dir := os.Getenv("MM_SHARED"); dir != "" {
		return bothIn(dir, sharedFiles)
	}
	if dir := os.Getenv("MM_ACP_SDK"); dir != "" {
		if stable, unstable, ok = bothIn(dir, sdkFiles); ok {
			return stable, unstable, true
		}
		return bothIn(filepath.Join(dir, "node_modules/@agentclientprotocol/sdk"), sdkFiles)
	}
	dir, err := os.Getwd()
	for err == nil {
		if stable, unstable, ok = bothIn(filepath.Join(dir, "shared"), sharedFiles); ok {
			return stable, unstable, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", "", false
}

func bothIn(dir string, names [2]string) (stable, unstable string, ok bool) {
	stable, unstable = filepath.Join(dir, names[0]), filepath.Join(dir, names[1])
	for _, name := range []string{stable, unstable} {
		if _, err := os.Stat(name); err != nil {
			return "", "", false
		}
	}
	return stable, unstable, true
}

// Schema is the protocol's schema, ready to check with.
type Schema struct {
	stable, unstable *definitions
}

// LoadSchema reads the schemas that FindSchema finds. They are read once in a process, since it
// takes a while. Without them its error is fs.ErrNotExist.
func LoadSchema() (*Schema, error) { return loadOnce() }

var loadOnce = sync.OnceValues(func() (*Schema, error) {
	stable, unstable, ok := FindSchema()
	if !ok {
		return nil, fmt.Errorf("%s: %w", NoSchema, fs.ErrNotExist)
	}
	s, err := load(stable)
	if err != nil {
		return nil, err
	}
	u, err := load(unstable)
	if err != nil {
		return nil, err
	}
	return &Schema{s, u}, nil
})

// definitions are the $defs of one schema file.
type definitions struct {
	defs     map[string]any
	compiler *jsonschema.Compiler
	types    map[methodPart]string // names by method

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // guarded by mu
}

// methodPart names the params or the result of a method.
type methodPart struct {
	method string
	result bool
	agent  bool // the method is the agent's to serve
}

const schemaURL = "acp.json"

func load(name string) (*definitions, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading schema %s: %w", name, err)
	}
	root, _ := doc.(map[string]any)
	defs, _ := root["$defs"].(map[string]any)
	if defs == nil {
		return nil, fmt.Errorf("reading schema %s: no $defs", name)
	}
	d := &definitions{defs: defs, compiler: jsonschema.NewCompiler(), types: map[methodPart]string{}, compiled: map[string]*jsonschema.Schema{}}
	if err := d.compiler.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	for name, def := range defs {
		def, _ := def.(map[string]any)
		method, _ := def["x-method"].(string)
		if side, _ := def["x-side"].(string); method != "" {
			d.types[methodPart{method, strings.HasSuffix(name, "Response"), side == "agent"}] = name
		}
	}
	return d, nil
}

// compile returns the schema of one type.
func (d *definitions) compile(name string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[name]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(schemaURL + "#/$defs/" + name)
	if err == nil {
		d.compiled[name] = s
	}
	return s, err
}

// Has reports whether the stable schema has a type of this name.
func (s *Schema) Has(name string) bool { return s.stable.defs[name] != nil }

// Definition returns the definition of a type, of the stable schema or else of the unstable one.
func (s *Schema) Definition(name string) map[string]any {
	d, _ := s.stable.defs[name].(map[string]any)
	if d == nil {
		d, _ = s.unstable.defs[name].(map[string]any)
	}
	return d
}

// TypeOf returns the name of the type of a method's params or result.
func (s *Schema) TypeOf(method string, result, agent bool) (name string, ok bool) {
	part := methodPart{method, result, agent}
	if name, ok = s.stable.types[part]; !ok && method == "$/cancel_request" {
		name, ok = s.stable.types[methodPart{method, result, false}]
	}
	return name, ok
}

// Check holds a JSON value against a type, and looks for names that the type doesn't have.
func (s *Schema) Check(name string, value []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return err
	}
	d := s.stable
	if extended(value) {
		d = s.unstable
	}
	schema, err := d.compile(name)
	if err != nil {
		return err
	}
	return errors.Join(schema.Validate(v), s.checkNames(d, name, v))
}

// extended reports whether a value is a session update of a kind that is stable upstream but not
// yet in the schema here.
func extended(value []byte) bool {
	var v struct {
		Update struct {
			Kind string `json:"sessionUpdate"`
		} `json:"update"`
	}
	if json.Unmarshal(value, &v) != nil {
		return false
	}
	switch v.Update.Kind {
	case "plan_update", "plan_removed", "subagent_update", "session_message", "session_message_chunk":
		return true
	}
	return false
}

package acptest

import (
	"fmt"
	"strings"
)

// Refused is a line that an agent refuses, and its whole answer.
type Refused struct{ Line, Want string }

// ErrorLine is an error response.
func ErrorLine(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

// Malformed are lines that an agent of mm's refuses, whatever it is.
func Malformed() []Refused {
	return []Refused{
		{`x`, ErrorLine("null", -32700, "this line is not JSON")},
		{`{"jsonrpc":"2.0","id":1,"method":"echo"`, ErrorLine("null", -32700, "this line is not JSON")},
		{`{"jsonrpc":"2.0","id":1,"method":"echo"}}`, ErrorLine("null", -32700, "this line is not JSON")},
		{`{"jsonrpc":"2.0","id":1,"method":"echo"} {}`, ErrorLine("null", -32700, "this line is not JSON")},
		{`{'jsonrpc':'2.0'}`, ErrorLine("null", -32700, "this line is not JSON")},
		{"\x00", ErrorLine("null", -32700, "this line is not JSON")},
		{`{"id":NaN,"method":"echo"}`, ErrorLine("null", -32700, "this line is not JSON")},
		{strings.Repeat("[", 20000) + strings.Repeat("]", 20000), ErrorLine("null", -32700, "this line is not JSON")},
		{`[]`, ErrorLine("null", -32600, "batches are not supported")},
		{`[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","method":"n"}]`, ErrorLine("null", -32600, "batches are not supported")},
		{`null`, ErrorLine("null", -32600, "expected an object, found null")},
		{`42`, ErrorLine("null", -32600, "expected an object, found a number")},
		{`"initialize"`, ErrorLine("null", -32600, "expected an object, found a string")},
		{`true`, ErrorLine("null", -32600, "expected an object, found a boolean")},
		{`{}`, ErrorLine("null", -32600, "method is missing")},
		{`{"jsonrpc":"2.0"}`, ErrorLine("null", -32600, "method is missing")},
		{`{"jsonrpc":"2.0","id":77}`, ErrorLine("77", -32600, "method is missing")},
		{`{"jsonrpc":"2.0","id":"x","params":{}}`, ErrorLine(`"x"`, -32600, "method is missing")},
		{`{"jsonrpc":"2.0","id":5,"method":7}`, ErrorLine("5", -32600, "method must be a string, found a number")},
		{`{"jsonrpc":"2.0","id":5,"method":null}`, ErrorLine("5", -32600, "method must be a string, found null")},
		{`{"jsonrpc":"1.0","id":5,"method":"echo"}`, ErrorLine("5", -32600, `jsonrpc must be "2.0"`)},
		{`{"jsonrpc":2.0,"id":5,"method":"echo"}`, ErrorLine("5", -32600, `jsonrpc must be "2.0"`)},
		{`{"jsonrpc":"2.0","id":{},"method":"echo"}`, ErrorLine("null", -32600, "id must be a string, a number or null, found an object")},
		{`{"jsonrpc":"2.0","id":[1],"method":"echo"}`, ErrorLine("null", -32600, "id must be a string, a number or null, found a list")},
		{`{"jsonrpc":"2.0","id":true,"method":"echo"}`, ErrorLine("null", -32600, "id must be a string, a number or null, found a boolean")},
		{`{"jsonrpc":"2.0","id":6,"method":"nonsense"}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":"unknown method nonsense","data":{"method":"nonsense"}}}`},
		{`{"jsonrpc":"2.0","id":7,"method":""}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"unknown method","data":{"method":""}}}`},
	}
}

// Silent are lines that an agent takes without an answer.
func Silent() []string {
	return []string{
		``, `   `, "\r", "\t\t",
		`{"jsonrpc":"2.0","method":"nonsense"}`,
		`{"jsonrpc":"2.0","method":"session/cancel","params":7}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request"}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":[1]}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":"zz","result":null}`,
		`{"jsonrpc":"2.0","result":1}`,
	}
}

package llm

// Tools for servers without tool support: they are declared at the end of the system message, the
// model writes its calls as text, and results go back as the user's text. The form is that of
// Hermes, which most models have seen.

const toolsAsText = `# Tools

To call a tool, write this and nothing after it:
<tool_call>
{"name": NAME, "arguments": {…}}
</tool_call>
Its result comes in <tool_response> tags. The tools, with the schema of their arguments:
`

// resultEnd stops a model that goes on to write the result of its call itself.
const resultEnd = "<tool_response>"

// appendDeclaration appends the tools, one on each line, inside a JSON string.
func appendDeclaration(b []byte, tools []Tool) []byte {
	text := []byte(toolsAsText)
	for _, t := range tools {
		text = append(text, `{"name":`...)
		text = appendString(text, t.Name)
		text = append(text, `,"description":`...)
		text = appendString(text, t.Description)
		text = append(text, `,"parameters":`...)
		text = append(text, t.schema()...)
		text = append(text, "}\n"...)
	}
	return appendInside(b, string(text[:len(text)-1]))
}

// appendAsText appends the messages for a server that knows no tools. Roles alternate: results and
// user texts that follow each other are one message.
func appendAsText(b []byte, messages []Message, tools []Tool) []byte {
	b = append(b, `{"role":"system","content":"`...)
	if len(messages) > 0 && messages[0].Role == RoleSystem {
		b = append(b, messages[0].encodeInside()...)
		b = append(b, `\n\n`...)
		messages = messages[1:]
	}
	b = append(appendDeclaration(b, tools), `"}`...)
	for len(messages) > 0 {
		n := 1
		for n < len(messages) && messages[n].roleAsText() == messages[0].roleAsText() {
			n++
		}
		b = appendGroup(append(b, ','), messages[:n])
		messages = messages[n:]
	}
	return b
}

// roleAsText is a message's role where results are the user's text.
func (m *Message) roleAsText() Role {
	if m.Role == RoleTool {
		return RoleUser
	}
	return m.Role
}

// appendGroup appends messages of one role as one message.
func appendGroup(b []byte, group []Message) []byte {
	b = append(b, `{"role":"`...)
	b = append(b, group[0].roleAsText()...)
	b = append(b, '"')
	b = appendThought(b, &group[0])
	var images []Image
	for i := range group {
		images = append(images, group[i].Images...)
	}
	b = append(b, `,"content":`...)
	if len(images) > 0 {
		b = append(b, `[{"type":"text","text":`...)
	}
	for i := range group {
		if i == 0 {
			b = append(b, '"')
		} else {
			b = append(b, `\n\n`...)
		}
		b = append(b, group[i].encodeInside()...)
	}
	b = append(b, '"')
	if len(images) > 0 {
		b = append(appendImages(append(b, '}'), images), ']')
	}
	return append(b, '}')
}

// asText is the text of a message where calls and results are text.
func (m *Message) asText() string {
	if m.Role == RoleTool {
		return "<tool_response>\n" + m.Content + "\n</tool_response>"
	}
	text := m.content()
	for _, c := range m.Calls {
		if text != "" && text[len(text)-1] != '\n' {
			text += "\n"
		}
		text += "<tool_call>\n" + `{"name": ` + string(appendString(nil, c.Name)) + `, "arguments": ` + c.Arguments + "}\n</tool_call>"
	}
	return text
}

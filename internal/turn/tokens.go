package turn

import (
	"encoding/json"

	"github.com/mini-me/mm/internal/llm"
)

// messageTokens is what a message costs beside its text: role marks and the like.
const messageTokens = 4

// imageTokens is about what an image costs: models cut it into some hundred to some thousand pieces.
const imageTokens = 1000

// tokens estimates how many tokens a text is: four bytes of ASCII to a token, and one token for
// each other character, which is about right for Latin text and safe for other scripts.
func tokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}

func messageCost(m llm.Message) int {
	n := messageTokens + tokens(m.Content) + tokens(m.Thought) + imageTokens*len(m.Images)
	for _, c := range m.Calls {
		n += messageTokens + tokens(c.Name) + tokens(c.Arguments)
	}
	return n
}

func historyCost(list []llm.Message) int {
	n := 0
	for _, m := range list {
		n += messageCost(m)
	}
	return n
}

// costLocked is what the first n messages of the history cost. It is summed up once: a long history
// isn't read again for each model call.
func (c *Conversation) costLocked(n int) int {
	if n == 0 {
		return 0
	}
	return c.sums[n-1]
}

// Context says what fills the context window, in tokens.
type Context struct {
	Window int // 0 when unknown
	// Used is the server's count after the last call and an estimate of what came since; Told
	// reports whether there is such a count. Without one, Used is an estimate.
	Used int
	Told bool
	// The rest are estimates.
	Instructions, Tools, Questions, Answers, Thoughts, Calls, Results int
	Messages                                                          int
}

// Context measures the conversation.
func (c *Conversation) Context(window int) Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := Context{Window: window, Instructions: messageTokens + tokens(c.o.Instructions), Tools: c.declaredCost(), Messages: len(c.history)}
	for _, m := range c.history {
		switch m.Role {
		case llm.RoleUser:
			x.Questions += messageCost(m)
		case llm.RoleTool:
			x.Results += messageTokens + tokens(m.Content)
		default:
			x.Answers += messageTokens + tokens(m.Content)
			x.Thoughts += tokens(m.Thought)
			for _, call := range m.Calls {
				x.Calls += messageTokens + tokens(call.Name) + tokens(call.Arguments)
			}
		}
	}
	x.Used, x.Told = c.usedLocked()
	return x
}

// usedLocked is the size of the next request in tokens, and whether a server's count is part of it.
func (c *Conversation) usedLocked() (n int, told bool) {
	if c.told > 0 && c.toldAt <= len(c.history) {
		return c.told + c.costLocked(len(c.history)) - c.costLocked(c.toldAt), true
	}
	return messageTokens + tokens(c.o.Instructions) + c.declaredCost() + c.costLocked(len(c.history)), false
}

func (c *Conversation) declaredCost() int {
	n := 0
	for _, t := range c.declared {
		n += messageTokens + tokens(t.Name) + tokens(t.Description) + tokens(string(json.RawMessage(t.Parameters)))
	}
	return n
}

package llm

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3/option"
)

// resolve returns where to send a request, finding out what the options leave open.
func (c *Client) resolve(ctx context.Context) (target, error) {
	t := c.target()
	if t.base == "" {
		return t, &Error{Kind: KindNoServer, Message: "no provider and no baseURL are set"}
	}
	if t.model != "" {
		return t, nil
	}
	models, err := c.list(ctx, t)
	if err != nil {
		return t, err
	}
	if len(models) == 0 {
		return t, &Error{Kind: KindNotFound, Message: "the server lists no models"}
	}
	return c.update(func(t *target) { t.model = models[0] }), nil
}

// list asks for the server's models.
func (c *Client) list(ctx context.Context, t target) ([]string, error) {
	api := c.api(t)
	var data []byte
	if err := api.Get(ctx, "models", nil, &data, option.WithHeader("Accept", "application/json")); err != nil {
		return nil, networkError(err)
	}
	var doc struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, &Error{Kind: KindServer, Message: "the list of models isn't JSON: " + err.Error()}
	}
	var ids []string
	for _, m := range doc.Data {
		ids = append(ids, m.ID)
	}
	return ids, nil
}

// defaultWindow is assumed when nobody says how large the context window is.
const defaultWindow = 8192

// Window returns the size of the context window, see Model.
func (c *Client) Window(ctx context.Context) int {
	return pick(c.opts.ContextWindow, defaultWindow)
}

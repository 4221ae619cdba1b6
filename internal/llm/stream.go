package llm

import (
	"context"
	"errors"
	"fmt"
)

// Stream asks the model, see Model.
func (c *Client) Stream(ctx context.Context, r Request, on func(Event) error) (Reply, error) {
	return c.stream(ctx, r, limits{}, on)
}

func (c *Client) stream(ctx context.Context, r Request, lim limits, on func(Event) error) (Reply, error) {
	tries := &tries{c: c, r: &r, on: on, limits: lim}
	pictures := hasImages(r.Messages)
	if pictures && c.refusesImages(ctx) {
		return Reply{}, c.noImages()
	}
	for {
		reply, shown, err := c.try(ctx, tries)
		if err == nil {
			c.answered()
			return reply, nil
		}
		var stop *stopped
		if errors.As(err, &stop) {
			return reply, stop.err
		}
		if ctx.Err() != nil {
			return reply, ctx.Err()
		}
		e := c.explain(err)
		if pictures && !shown && aboutImages(e) {
			return reply, c.noImages()
		}
		again, err := tries.again(ctx, e, shown)
		if err != nil {
			return reply, err
		}
		if !again {
			return reply, e
		}
	}
}

// stopped carries the error of the caller's own function.
type stopped struct{ err error }

func (s *stopped) Error() string { return s.err.Error() }

// try asks once. shown reports whether anything of the answer was told.
func (c *Client) try(ctx context.Context, tries *tries) (reply Reply, shown bool, err error) {
	r := tries.r
	out := &output{on: func(e Event) error {
		if err := tries.on(e); err != nil {
			return &stopped{err}
		}
		return nil
	}}
	t, err := c.resolve(ctx)
	if err != nil {
		return Reply{}, false, err
	}
	body, err := c.body(t, r, tries.limits)
	if err != nil {
		return Reply{}, false, &Error{Kind: KindBadRequest, Message: err.Error(), Err: err}
	}
	out.lift = newLifter(out, r.Tools, c.opts.ToolCalls != "native", quoting(r.Messages))
	if t.quirks.thinksUnopened {
		out.lift.assume()
	}
	got, err := c.receive(ctx, t, body, out)
	if err == nil && out.lift.unopened != t.quirks.thinksUnopened {
		c.update(func(t *target) { t.quirks.thinksUnopened = out.lift.unopened })
	}
	reply = got.reply(out.lift, r.Messages)
	if err == nil && got.empty() {
		err = c.overflow(reply)
	}
	reply.Complete = err == nil
	return reply, out.shown, err
}

// outcome says why an answer isn't whole, nil when it is. What went wrong with the connection after
// the last word doesn't count.
func (r *received) outcome(err error) error {
	var stop *stopped
	switch {
	case errors.As(err, &stop), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case r.fault != nil:
		return classify(0, r.fault)
	case r.complete():
		return nil
	case errors.Is(err, errEventTooLarge), errors.Is(err, errAnswerTooLarge):
		return &Error{Kind: KindTooLarge, Message: err.Error(), Err: err}
	case err != nil:
		return &Error{Kind: KindBroken, Message: "the stream broke: " + err.Error(), Retry: true, Err: err}
	}
	return &Error{Kind: KindBroken, Message: "the stream ended before the answer did", Retry: true}
}

// overflow is the error of an answer without a word to a prompt that is larger than the context:
// LM Studio says nothing about it otherwise.
func (c *Client) overflow(reply Reply) error {
	size := pick(c.opts.ContextWindow, c.target().window.size)
	if size == 0 || reply.Usage.Input < size {
		return nil
	}
	return &Error{
		Kind:         KindContext,
		Message:      fmt.Sprintf("the server answered nothing: the prompt has %d tokens, its context %d", reply.Usage.Input, size),
		PromptTokens: reply.Usage.Input, Context: size,
	}
}

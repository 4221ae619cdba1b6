package child

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// readFile answers fs/read_text_file from the files of the asker.
func (h handler) readFile(ctx context.Context, params json.RawMessage) (any, error) {
	var req acp.ReadTextFileRequest
	if err := acp.DecodeParams(params, &req); err != nil {
		return nil, err
	}
	var text []byte
	err := h.onFiles(ctx, req.SessionID, req.Path, func(ctx context.Context, files ui.FileSystem) (err error) {
		text, err = files.ReadFile(ctx, req.Path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return acp.ReadTextFileResponse{Content: lines(string(text), req.Line, req.Limit)}, nil
}

// writeFile answers fs/write_text_file. The agent's own gate has asked ours before.
func (h handler) writeFile(ctx context.Context, params json.RawMessage) (any, error) {
	var req acp.WriteTextFileRequest
	if err := acp.DecodeParams(params, &req); err != nil {
		return nil, err
	}
	return acp.Empty{}, h.onFiles(ctx, req.SessionID, req.Path, func(ctx context.Context, files ui.FileSystem) error {
		return files.WriteFile(ctx, req.Path, []byte(req.Content))
	})
}

// onFiles does something with the files of the ask that a session belongs to, as long as it lasts.
func (h handler) onFiles(ctx context.Context, session, path string, do func(context.Context, ui.FileSystem) error) error {
	h.c.mu.Lock()
	a := h.c.asks[session]
	h.c.mu.Unlock()
	if a == nil || a.task.Files == nil || a.ended() {
		return acp.UnknownSession(session)
	}
	ctx, done := a.whileAsked(ctx)
	defer done()
	err := do(ctx, a.task.Files)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return acp.Cancelled()
	case errors.Is(err, fs.ErrNotExist):
		return acp.FileNotFound(path)
	}
	return acp.Internal("%v", err)
}

// lines is a part of a text: from a line, which counts from 1, and at most so many (ACP v1,
// fs/read_text_file).
func lines(text string, from, limit *int) string {
	if from == nil && limit == nil {
		return text
	}
	list := strings.SplitAfter(text, "\n")
	if from != nil {
		list = list[min(max(*from-1, 0), len(list)):]
	}
	if limit != nil {
		list = list[:min(max(*limit, 0), len(list))]
	}
	return strings.Join(list, "")
}

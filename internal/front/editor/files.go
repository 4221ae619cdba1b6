package editor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/tools"
)

// files is the file system of a session whose client offers its own (fs/read_text_file,
// fs/write_text_file): unsaved buffers are read, and what is written shows in the editor. What the
// client can't do goes to the disk.
type files struct {
	tools.Disk
	ses *open
}

// ReadFile reads through the client. A missing file is told by the error's code, never by its text
// (ACP v1, -32002). Any other error is one: a client that refuses a file isn't gone around.
func (f files) ReadFile(ctx context.Context, path string) ([]byte, error) {
	out := f.ses.out
	if !out.client.FS.ReadTextFile {
		return f.Disk.ReadFile(ctx, path)
	}
	// What is no regular text file is for the disk to judge: the client would only fail.
	disk, err := f.Disk.ReadFile(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !utf8.Valid(disk) {
		return disk, err
	}
	var resp acp.ReadTextFileResponse
	callErr := out.conn.Call(ctx, acp.MethodReadTextFile, acp.ReadTextFileRequest{SessionID: out.session, Path: path}, &resp)
	switch {
	case callErr == nil:
		return []byte(resp.Content), tools.CheckSize(len(resp.Content))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case acp.ErrorCode(callErr) == acp.CodeNotFound:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return nil, told("read", callErr)
}

// WriteFile writes through the client.
func (f files) WriteFile(ctx context.Context, path string, data []byte) error {
	out := f.ses.out
	if !out.client.FS.WriteTextFile {
		return f.Disk.WriteFile(ctx, path, data)
	}
	err := out.conn.Call(ctx, acp.MethodWriteTextFile, acp.WriteTextFileRequest{SessionID: out.session, Path: path, Content: string(data)}, nil)
	if err != nil && ctx.Err() == nil {
		return told("write", err)
	}
	return err
}

// told is the client's own word about what it didn't do. An asker hands on what its editor said.
func told(verb string, err error) error {
	if e, ok := errors.AsType[*acp.Error](err); ok {
		reason := acp.Reason(e)
		if strings.HasPrefix(reason, "the editor did not ") {
			return errors.New(reason)
		}
		return fmt.Errorf("the editor did not %s it: %s", verb, reason)
	}
	return fmt.Errorf("the editor did not %s it: %w", verb, err)
}

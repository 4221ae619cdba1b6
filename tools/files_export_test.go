package tools

import (
	"context"
	"os"
)

// WriteNamed writes as Disk.WriteFile does where files without a name aren't to be had.
func WriteNamed(ctx context.Context, target string, data []byte) error {
	was, err := os.Lstat(target)
	if err != nil {
		return err
	}
	return replace(ctx, target, data, was, createBeside)
}

//go:build unix && !linux

package tools_test

import "errors"

func mountTmpfs(string) error { return errors.ErrUnsupported }

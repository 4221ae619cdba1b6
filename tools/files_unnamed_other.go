//go:build !linux

package tools

import (
	"io/fs"
	"os"
)

func createUnnamed(string, fs.FileMode) (tempFile, error) { return tempFile{}, errUnnamed }

func nameUnnamed(*os.File, string) error { return errUnnamed }

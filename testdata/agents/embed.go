// Package team is the demo team: agent files to copy from, to test with, and to play without a
// model (mm demo). It is embedded in the binary.
package team

import "embed"

// Files are the agent files of the demo and their scripts; lead.yaml is the one to start.
//
//go:embed *.yaml
var Files embed.FS

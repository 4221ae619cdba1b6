package editor

import (
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/tools"
)

const (
	// maxDiff is how large both texts of a change may be together, in bytes, to be sent as they are: some
	// clients take lines of 16 MiB, and a change is sent three times.
	maxDiff = 1 << 20
	// around is how many lines stand around a change of which only the part that differs is sent.
	around = 3
)

// diffContent is a change as ACP has it. Of large files the lines that differ are sent, with a few around
// them; what is still too large is cut in its middle, which it says.
func diffContent(d consent.Diff) acp.ToolCallContent {
	before := ""
	if d.Old != nil {
		before = *d.Old
	}
	if len(before)+len(d.New) <= maxDiff {
		return acp.DiffContent(d.Path, d.Old, d.New)
	}
	old, text := changed(before, d.New)
	old, text = tools.TruncateMiddle(old, maxDiff/4), tools.TruncateMiddle(text, maxDiff/4)
	if d.Old == nil {
		return acp.DiffContent(d.Path, nil, text)
	}
	return acp.DiffContent(d.Path, &old, text)
}

// changed leaves out of two texts the lines that both begin and end with, but for a few.
func changed(old, text string) (string, string) {
	start := 0
	for start < min(len(old), len(text)) && old[start] == text[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(text))-start && old[len(old)-1-end] == text[len(text)-1-end] {
		end++
	}
	start = linesBack(old, start)
	end -= linesOn(old[len(old)-end:])
	return old[start : len(old)-end], text[start : len(text)-end]
}

// linesBack is where the line begins that stands a few lines before at.
func linesBack(s string, at int) int {
	for range around + 1 {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return 0
		}
		at = i
	}
	return at + 1
}

// linesOn is how many bytes the first few lines of s take.
func linesOn(s string) int {
	n := 0
	for range around + 1 {
		i := strings.IndexByte(s[n:], '\n')
		if i < 0 {
			return len(s)
		}
		n += i + 1
	}
	return n
}

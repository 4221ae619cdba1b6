//go:build unix

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// TestACPFirstWordsOfAnAskedAgentAreSeen: an editor without sub-agent sessions showed nothing of a
// slow agent until it had written 2 KiB.
func TestACPFirstWordsOfAnAskedAgentAreSeen(t *testing.T) {
	files := teamFiles("true")
	files["jan.s.yaml"] = "- reply: [{text: begun}, {delay: 300s}, {text: never}]\n"
	e, id := edit(t, folder(t, files), acptest.Options{})
	done := make(chan acp.StopReason, 1)
	go func() {
		turn, err := e.Prompt(t.Context(), id, "let jan look")
		if err != nil {
			t.Error(err)
		}
		done <- turn.StopReason
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e.WaitUpdate(ctx, func(u acp.SessionUpdate) bool {
		return u.Kind == acp.UpdateToolCallUpdate && strings.Contains(string(u.Raw), "begun")
	})
	e.Cancel(t.Context(), id)
	if got := <-done; got != acp.StopCancelled {
		t.Errorf("stop reason %q", got)
	}
}

// TestACPWordsOfAnAskedAgentCostLittle: the words that are shown over and over stay within a few
// times the text.
func TestACPWordsOfAnAskedAgentCostLittle(t *testing.T) {
	const words = 4000
	files := teamFiles("true")
	files["jan.s.yaml"] = "- reply: \"" + strings.Repeat("word ", words) + "\"\n"
	e, id := edit(t, folder(t, files), acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "let jan talk")
	if err != nil {
		t.Fatal(err)
	}
	bytes := 0
	for _, u := range turn.Updates {
		if u.Kind == acp.UpdateToolCallUpdate {
			bytes += len(u.Raw)
		}
	}
	if text := len("word ") * words; bytes > 8*text {
		t.Errorf("%d bytes of updates for a text of %d", bytes, text)
	}
}

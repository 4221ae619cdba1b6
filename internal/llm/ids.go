package llm

import "fmt"

// idLength is what Mistral's templates insist on: "Tool call IDs should be alphanumeric strings
// with length 9!" The others don't care.
const idLength = 9

func goodID(id string) bool {
	if len(id) != idLength {
		return false
	}
	for i := range len(id) {
		c := id[i] | 0x20
		if !(c >= 'a' && c <= 'z' || id[i] >= '0' && id[i] <= '9') {
			return false
		}
	}
	return true
}

// ids gives out ids for calls. They are counted, not random: the same conversation makes the same
// bytes.
type ids struct {
	used map[string]bool
	n    int
}

func newIDs(history []Message) *ids {
	i := &ids{used: map[string]bool{}}
	for m := range history {
		for _, c := range history[m].Calls {
			i.used[c.ID] = true
			i.n++
		}
	}
	return i
}

// take returns id if it can be kept, else a fresh one.
func (i *ids) take(id string) string {
	if !goodID(id) || i.used[id] {
		id = i.fresh()
	}
	i.used[id] = true
	return id
}

func (i *ids) fresh() string {
	for {
		i.n++
		if id := fmt.Sprintf("c%08d", i.n%1e8); !i.used[id] {
			return id
		}
	}
}

package child

import (
	"encoding/json"
	"errors"

	"github.com/mini-me/mm/internal/acp"
)

// turnError makes a TurnError of an error response; other errors stay.
func turnError(err error) error {
	e, ok := errors.AsType[*acp.Error](err)
	if !ok {
		return err
	}
	t := &TurnError{Code: e.Code, Message: acp.Reason(e)}
	if e.Data == nil {
		return t
	}
	var data struct {
		Where string `json:"where"`
	}
	_ = json.Unmarshal(*e.Data, &data) // only mm tells it
	t.Where = data.Where
	return t
}

package window

import (
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/tty"
)

// suspend is Ctrl-Z: the shell gets the terminal until mm goes on.
func (m *model) suspend() tea.Cmd {
	if m.o.TTY == nil {
		return nil
	}
	return tea.Exec(pause{m.o.TTY}, nil)
}

// pause is what bubbletea runs while it has let go of the terminal. Its own tea.Suspend would leave
// the terminal as tty.Open made it, and stop all of the process group.
type pause struct{ tty *tty.TTY }

// Run stops this process.
func (p pause) Run() error {
	if err := p.tty.Suspend(); err != nil {
		return err
	}
	err := tty.Pause()
	if e := p.tty.Resume(); err == nil {
		err = e
	}
	return err
}

// SetStdin and the two below are for commands that draw: a pause doesn't.
func (pause) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (pause) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (pause) SetStderr(io.Writer) {}

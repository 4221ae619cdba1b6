package lsp

import "time"

// limits bound every wait of a call.
type limits struct {
	start   time.Duration // until a server has answered initialize
	begin   time.Duration // until a new server begins to report progress, if it does
	quiet   time.Duration // without progress, after which a server is taken to be ready
	index   time.Duration // for a new server to get ready
	busy    time.Duration // for a server that reports progress later on
	request time.Duration // for the answer to a request
	call    time.Duration // for a call as a whole
	publish time.Duration // for diagnostics to be published (tools.fr.md, diagnostics)
	settle  time.Duration // after diagnostics, for more of them
	clean   time.Duration // the same after an empty list: some servers first publish that
	// Ending a server: for the answer to shutdown (gopls takes 1 s), for the end after exit, and
	// after SIGTERM. Less in all than the 2 s in which everything below mm is gone.
	shutdown, exit, term time.Duration
}

func defaultLimits() limits {
	return limits{
		start:   60 * time.Second,
		begin:   500 * time.Millisecond,
		quiet:   200 * time.Millisecond,
		index:   90 * time.Second,
		busy:    10 * time.Second,
		request: 60 * time.Second,
		call:    150 * time.Second,
		publish: 3 * time.Second,
		settle:  250 * time.Millisecond,
		clean:   time.Second,

		shutdown: 1200 * time.Millisecond, exit: 400 * time.Millisecond, term: 200 * time.Millisecond,
	}
}

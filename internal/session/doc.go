// Package session keeps conversations on disk: one file a session, <id>.json, mode 0600 (supplement
// 9).
//
// A Store is a folder of sessions: it lists, loads, exports and deletes them. A Writer is one open
// session. It saves the whole file atomically (temporary file, fsync, rename), at most every 250 ms
// and whenever Flush is called. What comes in between goes at once to the end of <id>.journal, with
// one write for each message, so that a killed mm loses no message; Load reads both. Of an asked
// agent's session nobody waits for the disk: its saver writes it all beside the work. A lock on
// <id>.lock, which the system drops with the process, keeps a second mm from writing the same
// session.
//
// Nothing here ends a turn: a Writer that can't save says so once and goes on. A file that can't be
// read, or isn't a session, is named and left alone.
package session

// Package prompt is the line editor of line mode: keys, a text being typed, history, search and
// completion. It draws nothing and reads nothing: it is fed bytes and gives rows.
//
// golang.org/x/term, which puts the terminal into raw mode, has an editor too. It was tried and is too
// weak: it takes every code point for one cell, so that its cursor is wrong behind 日 or an emoji; its
// prompt is one line, with no room for the unfinished line of an answer or a spinner above it; it
// stops at 4,096 characters and knows neither lines nor search. The text itself is ui/edit's, as in
// the window. Of the others, reeflective/readline has a data race as soon as something is printed
// while the prompt is up, chzyer/readline isn't kept any more and takes a pasted block for questions.
package prompt

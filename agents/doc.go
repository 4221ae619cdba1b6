// Package agents finds, reads and checks agent files.
//
// One YAML file describes one agent. Find says which file counts, Load reads it and gives a File
// whose fields are complete: defaults, ${NAME} and the overrides of the environment are applied,
// and paths are absolute. Defaults gives the same for a run without a file. Who holds a File never
// looks at the environment again for what a file can say.
//
// Every key is one line of a table (table.go). The table is what the reader walks, what Schema is
// made of and what the reference page is written from, so these can't disagree.
//
// Load reports all problems of a file at once, as an *Error, in words for people: nothing of Go or
// of the YAML library shows through. Values of keys that hold secrets are never repeated in a
// problem, nor when a File is printed, logged or marshalled.
//
// The package starts nothing and remembers nothing. It reads the agent file and the files that it
// names for itself (instructionsFile, schemaFile); the files of the agents that it can ask are
// read by CheckEntries only.
package agents

//go:generate go test -run ^(TestGenerated|TestFaults)$ -update .

// Package archtest holds the direction of imports by a test: which package may know which.
package archtest

// Package doctest keeps the documentation true: each command and file of README.md and docs/ is
// tried by a test, with the real binary and scripted models.
//
// A page is played from top to bottom in a folder of its own, which is a git repository. Its fenced
// blocks mean, by their language:
//
//   - sh, bash: run with mm on the PATH and nothing on stdin; each must succeed.
//   - console: lines that begin with "$ " are run, and what follows must be their output (stdout and
//     stderr together); a line of "..." stands for any number of lines.
//   - yaml: a first line "# NAME.yaml" writes that file. All but scripts are read as agent files.
//   - json: must be JSON. Other languages are shown only.
//
// A comment before a block, which readers don't see, says otherwise:
//
//	<!-- test: file NAME -->      the block is that file
//	<!-- test: skip REASON -->    the block isn't tried
//	<!-- test: stdin TEXT -->     the block's commands read that
//	<!-- test: with FILE -->      FILE, of testdata, is put into the page's folder first
//	<!-- test: in FOLDER -->      the block's commands run in that folder of the repository
//
// Where testdata has a script of the page's name, the models of the page are that script, served over
// HTTP: MM_BASE_URL leads every agent there, whatever provider its file names.
package doctest

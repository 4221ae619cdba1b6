#!/usr/bin/env bash
# One line for each call that ran.
jq -c '{session, tool, title}' >>"$HOME/mm-calls.jsonl"

#!/usr/bin/env bash
# Tokens in an answer don't reach the model.
jq -c '{answer: (.answer | gsub("ghp_[A-Za-z0-9]+"; "[token]"))}'

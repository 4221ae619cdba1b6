#!/usr/bin/env bash
# After the coder: what really changed goes to the lead's model, beside what the coder says.
cat >/dev/null
cd "$MM_CWD" || exit 1
stat=$(git diff --stat 2>/dev/null | tail -n 20 | sed 's/["\\]//g; s/$/\\n/' | tr -d '\n\t')
printf '{"context": "git diff --stat says:\\n%s"}\n' "$stat"

#!/usr/bin/env bash
# Nothing leaves this machine without me, and nothing is deleted outside of the project.
title=$(jq -r .title)
case $title in
  *"git push"*) echo "pushing is left to the user" >&2; exit 2 ;;
  *"rm -rf /"*) echo "only paths inside $MM_CWD may be deleted" >&2; exit 2 ;;
esac

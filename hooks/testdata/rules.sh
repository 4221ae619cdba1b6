#!/usr/bin/env bash
# Whoever is asked reads the rules of the house first.
jq -c '{prompt: ("Answer in English. Change nothing under vendor/.\n\n" + .prompt)}'

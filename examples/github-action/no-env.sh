#!/bin/sh
# The event is on stdin as JSON. Exit 2 denies, and what is on stderr is the reason.
! grep -qE '[^a-z]\.env' || { echo "the file .env is not for agents" >&2; exit 2; }

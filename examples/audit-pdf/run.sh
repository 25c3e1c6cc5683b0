#!/bin/sh
# Records a few calls of an agent in a folder of its own, writes that record as a PDF and checks the PDF.
# `swarm` must be found, and the folder must not exist yet: sh examples/audit-pdf/run.sh /tmp/audit-example
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1" "$1/home"
cd "$1"
SWARM_HOME=$PWD/home
export SWARM_HOME
cp "$here/config.yaml" "$SWARM_HOME/config.yaml"

while IFS= read -r call; do
  swarm emit tool.before --agent fraud-bot --session s1 --data "$call"
done <"$here/calls.jsonl"

question=$(swarm approvals list --json | grep -o 'apr_[A-Za-z0-9_-]*' | head -n 1)
swarm approvals approve "$question" --reason "checked against the release plan"

swarm audit pdf --from 2026-01-01 --dry-run
swarm audit pdf --from 2026-01-01 --output report.pdf
swarm audit verify report.pdf

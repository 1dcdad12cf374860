#!/usr/bin/env bash
# Builds the command from the sources of this action, with the packages that its lockfile pins. No package may run a
# script while it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -f packages/cli/dist/agentgate.js ]] && exit 0
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node tools/build.mjs

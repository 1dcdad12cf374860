#!/usr/bin/env bash
# Judges the change and writes the reports. Ends with 0: the last step of the action turns `status` into its exit code,
# after the reports are delivered.
#
#   AGENTGATE_BASE    full id of the base's tip        AGENTGATE_ACCEPT  digest of accepted weakenings, or empty
#   AGENTGATE_ARGS    further arguments, set apart by blanks
set -euo pipefail

command=$(dirname "${BASH_SOURCE[0]}")/../packages/cli/dist/agentgate.js
reports=${RUNNER_TEMP:?}/agentgate
rm -rf "$reports" && mkdir -p "$reports"

read -r -d '' -a more <<<"${AGENTGATE_ARGS:-}" || true
arguments=(check --base "${AGENTGATE_BASE:?}" --head HEAD --format stylish --format "sarif=$reports/agentgate.sarif")
if [[ -n ${AGENTGATE_ACCEPT:-} ]]; then arguments+=(--accept "$AGENTGATE_ACCEPT"); fi

status=0
node "$command" "${arguments[@]}" ${more[@]+"${more[@]}"} || status=$?

# At 2 the report is not whole: code scanning would close what it does not name.
sarif=false
if [[ $status -lt 2 && -s $reports/agentgate.sarif ]]; then sarif=true; fi
node "$command" diff "$AGENTGATE_BASE" HEAD --quiet --format "markdown=$reports/comment.md" --format "json=$reports/diff.json" || true
if [[ -s $reports/comment.md && -n ${GITHUB_STEP_SUMMARY:-} ]]; then cat "$reports/comment.md" >>"$GITHUB_STEP_SUMMARY"; fi

printf 'status=%s\nsarif=%s\nreports=%s\n' "$status" "$sarif" "$reports" >>"${GITHUB_OUTPUT:?}"

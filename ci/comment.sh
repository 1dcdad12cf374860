#!/usr/bin/env bash
# Posts the review comment from a file, or updates the one that an earlier run posted. Says nothing where a first run
# has nothing to say.
#
#   GH_TOKEN             may write to pull requests      PULL_REQUEST    its number
#   AGENTGATE_REPORTS    folder of comment.md and diff.json
#   AGENTGATE_AUTHOR     whose comment is updated; default github-actions[bot]
set -euo pipefail

marker='<!-- agentgate -->'
author=${AGENTGATE_AUTHOR:-github-actions[bot]}
[[ ${PULL_REQUEST:?} =~ ^[0-9]+$ ]] || exit 1
comments=repos/${GITHUB_REPOSITORY:?}/issues/$PULL_REQUEST/comments

body=$(mktemp)
trap 'rm -f "$body"' EXIT
# GitHub takes 65,536 characters.
{
  printf '%s\n' "$marker"
  head -c 60000 "${AGENTGATE_REPORTS:?}/comment.md" | iconv -c -f utf-8 -t utf-8 || true
  if (($(wc -c <"$AGENTGATE_REPORTS/comment.md") > 60000)); then printf '\n\n…cut here; the summary of the run has all of it.\n'; fi
} >"$body"

# Somebody else's comment that begins with the marker is none of ours.
export MARKER=$marker AUTHOR=$author
old=$(gh api --paginate "$comments" --jq '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARKER))) | .id' | sed -n 1p)
if [[ -n $old ]]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$old" -F "body=@$body"
elif grep -q '"path"' "$AGENTGATE_REPORTS/diff.json"; then
  gh api --silent --method POST "$comments" -F "body=@$body"
fi

#!/usr/bin/env bash
# Brings the tip of the base and its merge base with HEAD into this clone, however shallow it is, and prints the id of
# the tip. Needs no token where the repository may be read without one.
#
#   AGENTGATE_BASE       a branch of the remote or a full commit id; empty: what the event on GitHub compares with
#   AGENTGATE_REMOTE     default origin
#   AGENTGATE_MAX_DEPTH  how many commits to look back at most; default 20000
#
# Exit 2 where the base cannot be had: one line why, one line what to do.
set -euo pipefail
export LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_NO_REPLACE_OBJECTS=1

remote=${AGENTGATE_REMOTE:-origin}
most=${AGENTGATE_MAX_DEPTH:-20000}

fail() {
  printf 'agentgate: %s\n%s\n' "$1" "$2" >&2
  exit 2
}

# What the event compares with. On push: what the branch held before; a new branch is compared with the default branch.
base_of_event() {
  case ${GITHUB_EVENT_NAME:-} in
    pull_request | pull_request_target) printf '%s' "${GITHUB_BASE_REF:-}" ;;
    merge_group) printf '%s' "${MERGE_GROUP_BASE:-}" ;;
    push)
      if [[ ${PUSH_BEFORE:-} =~ [1-9a-f] ]]; then printf '%s' "$PUSH_BEFORE"; else printf '%s' "${DEFAULT_BRANCH:-}"; fi
      ;;
  esac
}

is_id() { [[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]]; }

[[ $remote != -* ]] || fail "the remote $remote begins with a dash." "Give AGENTGATE_REMOTE the name or address of a remote."

base=${AGENTGATE_BASE:-$(base_of_event)}
[[ -n $base ]] || fail "the event ${GITHUB_EVENT_NAME:-that started this run} has no base to compare with." "Name one: the input base, or AGENTGATE_BASE."
base=${base#refs/heads/}
if is_id "$base"; then
  source=$base
elif [[ $base != -* ]] && git check-ref-format "refs/heads/$base"; then
  source=refs/heads/$base
else
  fail "the base is neither a branch nor a full commit id." "Name a branch of the remote, such as main."
fi

# The judged tree must not choose what is fetched or what runs meanwhile.
quiet_git() { git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c fetch.recurseSubmodules=false "$@"; }

head=$(git rev-parse --verify --quiet 'HEAD^{commit}') || fail "this folder is no clone with a commit." "Run actions/checkout before, or a clone."
tip=

# Fetches the base, and HEAD where the remote still has it, at most so many commits deep (0: as deep as they are).
fetch() {
  local options=(--quiet --no-tags --no-recurse-submodules --no-write-fetch-head)
  [[ $1 == 0 ]] || options+=("--depth=$1")
  quiet_git fetch "${options[@]}" "$remote" "+$source:refs/agentgate/base" "+$head:refs/agentgate/head" 2>/dev/null ||
    quiet_git fetch "${options[@]}" "$remote" "+$source:refs/agentgate/base" || return 1
  tip=$(git rev-parse --verify --quiet 'refs/agentgate/base^{commit}')
}

# Whether the clone is cut off on one side only: a nearer common ancestor may lie behind the cut.
is_cut() {
  local boundary
  boundary=$(git rev-parse --git-path shallow)
  [[ -s $boundary ]] || return 1
  git rev-list "$tip...$head" | grep -Fxf "$boundary" >/dev/null
}

has_merge_base() { git merge-base "$tip" "$head" >/dev/null && ! is_cut; }

cannot_fetch() {
  fail "$source could not be fetched from $remote." "See that it exists and that this job may read it; or set fetch-depth: 0 and leave persist-credentials on in actions/checkout."
}

no_common_commit() { fail "$base and HEAD share no commit, and this clone is complete." "Compare with a branch that HEAD comes from."; }

depth=50
if [[ $(git rev-parse --is-shallow-repository) == false ]]; then depth=0; fi
until fetch "$depth" || cannot_fetch; has_merge_base; do
  if [[ $(git rev-parse --is-shallow-repository) == false ]]; then no_common_commit; fi
  if ((depth >= most)); then
    fail "no merge base of $base and HEAD was found within $depth commits." "Run: git fetch --unshallow $remote; on GitHub, set fetch-depth: 0 in actions/checkout."
  fi
  depth=$((depth * 5 < most ? depth * 5 : most))
done

# A proposal that the base holds already is none: most likely the base itself was checked out.
case ${GITHUB_EVENT_NAME:-} in
  pull_request | pull_request_target | merge_group)
    if [[ $(git merge-base "$tip" "$head") == "$head" ]]; then
      fail "what is checked out holds nothing that $base does not have." "Check out what is proposed: on pull_request and merge_group, actions/checkout does so by itself."
    fi
    ;;
esac

printf '%s\n' "$tip"
if [[ -n ${GITHUB_OUTPUT:-} ]]; then printf 'base=%s\n' "$tip" >>"$GITHUB_OUTPUT"; fi

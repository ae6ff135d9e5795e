#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the header that says what is built:  build-commit.sh SOURCE-TREE VERSION
# and with --commit what a distribution keeps of that in its file build-commit.
#
# A development version (ending in -dev) names the commit of a checkout, or what the distribution keeps. Every version
# has a digest of the sources: what one build wrote for itself, another does not take for its own.
set -eu
export LC_ALL=C
only_commit=no
if [ "$1" = --commit ]; then only_commit=yes && shift; fi
cd "$1"
version=$2
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX

ask_git() { git --no-optional-locks -c safe.directory='*' "$@" 2>/dev/null; }

# "1b33c42", "1b33c42, changed", or nothing: neither a checkout of these sources nor a distribution of one.
commit() {
    if [ -f build-commit ]; then
        cat build-commit
    elif ask_git ls-files --error-unmatch src/base/build-commit.sh >/dev/null && hash=$(ask_git rev-parse HEAD); then
        changes=$(ask_git status --porcelain --untracked-files=no)
        printf '%.7s%s\n' "$hash" "${changes:+, changed}"
    fi
}

# What is made of other sources is left out: it may lie among them.
digest() {
    files=$(find src formats analyzers graphs pictures data/*.ini data/*.tsv -name '*.[ch]' -o -name '*.css' -o -name '*.js' -o -name 'page.html' -o -name '*.ini' -o -name '*.tsv' |
        grep -vE '/(api-tables|build-commit|page-texts)\.h$' | sort)
    # shellcheck disable=SC2086
    { printf '%s\n' "$files" && cat $files; } | sha256sum | cut -c1-16
}

case $version in
    *-dev) commit=$(commit) ;;
    *) commit= ;;
esac
if [ "$only_commit" = yes ]; then
    printf '%s\n' "$commit"
    exit 0
fi
digest=$(digest)
[ "${#digest}" -eq 16 ] || { echo "build-commit.sh: no digest of the sources in '$1'" >&2; exit 1; }
printf '/* Made by build-commit.sh. */\n#define TT_BUILD_COMMIT "%s"\n#define TT_BUILD_DIGEST "%s"\n' \
    "${commit:+ (commit $commit)}" "$digest"

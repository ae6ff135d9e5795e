#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# configure.ac has the version; everything else follows it. A development version says its commit.
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1
script=$SRCDIR/src/base/build-commit.sh
version=$(sed -n 's/^AC_INIT(\[tracetool\], \[\([^]]*\)\].*/\1/p' "$SRCDIR/configure.ac")
number=${version%-dev}
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

printf '%s\n' "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+(-dev)?'
result $? "configure.ac has a version: $version"

run 0 --version
if [ "$version" = "$number" ]; then
    [ "$(head -n 1 out)" = "tracetool $version" ]
else
    head -n 1 out | grep -qE "^tracetool $version( \(commit [0-9a-f]{7}(, changed)?\))?\$"
fi
result $? 'the program says it' || head -n 1 out

if [ "$version" = "$number" ]; then
    grep -m 1 '^## ' "$SRCDIR/NEWS.md" | grep -qxE "## $number( \([0-9]{4}-[0-9]{2}-[0-9]{2}\))?"
else
    [ "$(grep -m 1 '^## ' "$SRCDIR/NEWS.md")" = "## $number (not yet released)" ]
fi
result $? 'NEWS.md begins with it'
[ "$(grep -c '^## ' "$SRCDIR/NEWS.md")" -eq "$(grep '^## ' "$SRCDIR/NEWS.md" | sort -u | wc -l)" ] &&
    grep '^## ' "$SRCDIR/NEWS.md" | sed 's/^## \([0-9.]*\).*/\1/' >headings && sort -t. -k1,1nr -k2,2nr -k3,3nr headings | cmp -s - headings
result $? 'its versions go down, each has one heading'
case $version in
    *-dev) [ "$(head -n 1 "$SRCDIR/debian/changelog" | sed 's/^tracetool (\(.*\)-[0-9a-z.~+]*) .*/\1/')" = "$number~dev" ] ;;
    *) [ "$(head -n 1 "$SRCDIR/debian/changelog" | sed 's/^tracetool (\(.*\)-[0-9a-z.~+]*) .*/\1/')" = "$number" ] ;;
esac
result $? 'the package has it, before the release in the order of Debian'
for page in tracetool.1 TAU_tf.3; do
    [ "$(grep -c "^\\.TH .*\"tracetool $version\"" "$BUILDDIR/docs/man/$page")" -eq 1 ]
    result $? "the manual page $page says it"
done
grep -qx "Version: $version" "$BUILDDIR/formats/tau/tracetool-tau.pc"
result $? 'pkg-config says it'
"$TRACETOOL" --db t.db import -q "$TRACETOOL_DATA/tau-merged" && "$TRACETOOL" --db t.db export -o t.json &&
    grep -qF "\"tool\":\"tracetool\",\"version\":\"$version\"" t.json
result $? 'exported traces say it'

# -- the commit
if ! command -v git >/dev/null; then
    skip 'the commit of a checkout' 'git is not here'
    finish
    exit 0
fi
repository() { # DIRECTORY : a repository with what the script looks at
    git init -q "$1" && mkdir -p "$1/src/base" "$1/formats" "$1/analyzers" "$1/graphs" "$1/data" && cp "$script" "$1/src/base/" &&
        echo 'int a;' >"$1/src/a.c" && echo x >"$1/data/x.ini" && echo y >"$1/data/y.tsv" && echo text >"$1/README.md" &&
        git -C "$1" add . && commit "$1" one
}
commit() { # DIRECTORY MESSAGE
    git -C "$1" -c user.name=T -c user.email=t@localhost -c commit.gpgsign=false commit -qam "$2"
}
header() { sh "$script" "$1" "$2"; } # DIRECTORY VERSION
text() { header "$1" "$2" | sed -n 's/^#define TT_BUILD_COMMIT "\(.*\)"$/\1/p'; }
digest() { header "$1" "$2" | sed -n 's/^#define TT_BUILD_DIGEST "\(.*\)"$/\1/p'; }

repository one && hash=$(git -C one rev-parse HEAD | cut -c1-7) && [ ${#hash} -eq 7 ] && [ "$(text one 1.0.0-dev)" = " (commit $hash)" ]
result $? 'a development version in a checkout has the commit'
[ -z "$(text one 1.0.0)" ]
result $? 'a release has none'
first=$(digest one 1.0.0-dev) && [ ${#first} -eq 16 ] && [ "$(digest one 1.0.0)" = "$first" ]
result $? 'both have a digest of the sources'
echo more >>one/README.md && [ "$(text one 1.0.0-dev)" = " (commit $hash, changed)" ] && [ "$(digest one 1.0.0-dev)" = "$first" ]
result $? 'a changed tree is marked; text is no source'
commit one two && [ "$(text one 1.0.0-dev)" = " (commit $(git -C one rev-parse HEAD | cut -c1-7))" ] && [ "$(text one 1.0.0-dev)" != " (commit $hash)" ]
result $? 'a new commit is seen'
echo 'int b;' >>one/src/a.c && [ "$(digest one 1.0.0-dev)" != "$first" ]
result $? 'changed sources have another digest'
sh "$script" --commit one 1.0.0-dev >kept && mv kept one/build-commit && mv one/.git git && [ "$(text one 1.0.0-dev)" = " (commit $(git --git-dir git rev-parse HEAD | cut -c1-7), changed)" ]
result $? 'a distribution has the commit in a file'
rm one/build-commit && [ -z "$(text one 1.0.0-dev)" ] && [ ${#first} -eq 16 ]
result $? 'sources without either have none'
mkdir outer && git init -q outer && mv one outer/ && touch outer/x && git -C outer add x && commit outer three && [ -z "$(text outer/one 1.0.0-dev)" ]
result $? "nor the commit of a repository that they were unpacked in"

# -- caches belong to the build
if command -v python3 >/dev/null; then
    cp "$TRACETOOL_DATA"/tau-merged/run.* . && run 0 stats run.trc run.edf
    run 0 --db run.trc.tracetool.db query --format csv 'SELECT command FROM run' && sed -n 's/.* # cache \([0-9a-f]*\)"*$/\1/p' out >signature
    python3 - "$version $(sed -n 's/^#define TT_BUILD_DIGEST "\(.*\)"$/\1/p' "$BUILDDIR/src/base/build-commit.h")" >wanted <<'EOF'
import hashlib, os, sys
text = sys.argv[1] + "\n"
for name in ("run.trc", "run.edf"):
    facts = os.stat(name)
    text += "%s\n%d %d.%09d\n" % (os.path.abspath(name), facts.st_size, facts.st_mtime_ns // 10**9, facts.st_mtime_ns % 10**9)
print(hashlib.sha256(text.encode()).hexdigest()[:32])
EOF
    [ -s signature ] && cmp -s signature wanted
    result $? 'the signature of a cache has the build in it' || paste signature wanted
else
    skip 'the signature of a cache has the build in it' 'Python is not here'
fi
finish

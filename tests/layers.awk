# SPDX-License-Identifier: Apache-2.0
# Which files use which, from symbols and includes, held against the rooms' rules.
#
#   awk -f layers.awk RULES FACTS
#
# FACTS has a line each:   FILE defines SYMBOL | FILE uses SYMBOL | FILE includes FILE   (paths from the top)
# Prints a line for each arrow between rooms that the rules do not have, for each circle of files, and for each circle
# of folders inside a room. A file is a unit without its ending: foo.c and foo.h are one.

function unit(path) { sub(/\.[ch]$/, "", path); return path }
function room(path,   best, r) {
    best = ""
    for (r in known) if (index(path, r "/") == 1 && length(r) > length(best)) best = r
    return best
}
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
# A folder may use what is below it and the other way round: its files set up and serve those below.
function are_nested(a, b) { return index(a "/", b "/") == 1 || index(b "/", a "/") == 1 }

FNR == NR {
    if ($0 ~ /^#/ || $0 !~ /:/) next
    r = $1; sub(/:$/, "", r); known[r] = 1
    for (i = 2; i <= NF; i++) allowed[r, $i] = 1
    next
}
$2 == "defines" {
    if ($3 in definer && definer[$3] != unit($1)) twice[$3] = 1
    definer[$3] = unit($1)
    next
}
$2 == "uses" || $2 == "includes" { n++; from[n] = $1; how[n] = $2; what[n] = $3 }

function add_arrow(a, b, text,   ra, rb) {
    if (a == b) return
    ra = room(a); rb = room(b)
    if (ra == "" || rb == "") { lost[ra == "" ? a : b] = 1; return }
    if (ra != rb && !((ra, rb) in allowed)) complaint[ra " may not use " rb ": " a " -> " b " (" text ")"] = 1
}

# Whether @a can be reached from @b. Arrows from a node are listed in next_of, "\n" between them.
function reaches(b, a, next_of,   queue, n, i, k, m, part, seen) {
    queue[n = 1] = b
    for (i = 1; i <= n; i++) {
        if (queue[i] == a) return 1
        m = split(next_of[queue[i]], part, "\n")
        for (k = 1; k <= m; k++)
            if (part[k] != "" && !(part[k] in seen)) { seen[part[k]] = 1; queue[++n] = part[k] }
    }
    return 0
}

# Nodes without an arrow to or from what is left are taken away, again and again; of the rest, what leads back to itself
# is a circle.
function find_circles(edges, what,   e, p, changed, out, in_, next_of) {
    do {
        changed = 0
        delete out; delete in_
        for (e in edges) { split(e, p, SUBSEP); out[p[1]] = 1; in_[p[2]] = 1 }
        for (e in edges) {
            split(e, p, SUBSEP)
            if (!(p[1] in in_) || !(p[2] in out)) { delete edges[e]; changed = 1 }
        }
    } while (changed)
    for (e in edges) { split(e, p, SUBSEP); next_of[p[1]] = next_of[p[1]] "\n" p[2] }
    for (e in edges) {
        split(e, p, SUBSEP)
        if (reaches(p[2], p[1], next_of)) complaint[what ": " p[1] " -> " p[2] " (" edges[e] ")"] = 1
    }
}

END {
    for (i = 1; i <= n; i++) {
        a = unit(from[i])
        if (how[i] == "includes") { add_arrow(a, unit(what[i]), "#include"); continue }
        if (!(what[i] in definer) || what[i] in twice) continue
        b = definer[what[i]]
        add_arrow(a, b, what[i])
        if (a != b) files[a, b] = what[i]
        if (!are_nested(folder(a), folder(b)) && room(a) == room(b)) folders[folder(a), folder(b)] = what[i]
    }
    find_circles(files, "a circle of files")
    find_circles(folders, "a circle of folders")
    for (f in lost) complaint[f " is in no room"] = 1
    for (c in complaint) print c
}

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names that make a search explode, and bytes that are no characters where text is expected.
. "$SRCDIR/tests/cli/lib.sh"

# -- regular expressions ---------------------------------------------------------------------------------
awk 'BEGIN {
    a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    print "["
    for (i = 0; i < 40; i++)
        printf "{\"ph\":\"X\",\"name\":\"%sb%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5},\n", a, i, 10 * i
    printf "{\"ph\":\"X\",\"name\":\"%sc\",\"pid\":1,\"tid\":1,\"ts\":400,\"dur\":5}]\n", substr(a, 7)
}' >names.json
mv names.json "$scratch"
import "$scratch/names.json"
result $? 'import names that make a search explode'

for filter in 'name~(a+)+c|b0$' 'name!~(a+)+$' 'op_long_name~(a+)+$' 'raw_name~^(\S|.)+[!?]$'; do
    expression=${filter#*~}
    refuses 1 "the regular expression '$expression' is given up at '" --db "$db" stats --filter "$filter" &&
        has err 'aaaaaaaaaaaa' 'without repetitions inside repetitions' && [ ! -s "$scratch/out" ]
    result $? "stats --filter $filter names what it gives up"
    refuses 1 "'$expression' is given up" --db "$db" export --chrome -o "$scratch/out.json" --filter "$filter" &&
        [ ! -e "$scratch/out.json" ]
    result $? 'so does an export, and it leaves no file'
    refuses 1 "'$expression' is given up" convert --filter "$filter" "$scratch/names.json" "$scratch/out.json" &&
        [ ! -e "$scratch/out.json" ]
    result $? 'so does a conversion'
done
refuses 1 'is given up' --db "$db" export --profile "$scratch/profile" --filter 'op_long_name~(a+)+$' &&
    [ ! -e "$scratch/profile" ]
result $? 'so do profiles'
run 0 --db "$db" stats --top 0 --format csv --filter 'name~a+c|b0$' && lines out 3 && has out 'aab0' 'aac'
result $? 'an expression that says the same without exploding finds both names'

# -- bytes that are no characters -----------------------------------------------------------------------------
# The arguments of a job's side files were once mended in a text that was not there.
cp -r "$TRACETOOL_DATA/job-2x1" "$scratch/job" && chmod -R u+w "$scratch/job"
byte=$(printf '\377')
for file in io.json comm_detail.json comm.json; do
    LC_ALL=C sed -i "s/\"args\":{/\"args\":{\"odd\":\"a${byte}b\",/g" "$scratch/job/host0/0/$file"
done
import "$scratch/job" && ask "SELECT count(*) > 2, min(json_extract(args, '\$.odd') = 'a' || char(65533) || 'b') FROM event
    WHERE args LIKE '%odd%'" '1,1'
result $? 'a byte that is no UTF-8 in the arguments of a job becomes U+FFFD'
finish

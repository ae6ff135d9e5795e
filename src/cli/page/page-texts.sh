#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the header with the texts of the page as bytes:  page-texts.sh FILE...  (page.js becomes page_js)
set -eu
export LC_ALL=C
for file in "$@"; do
    printf 'static const unsigned char %s[] = {\n' "$(basename "$file" | tr '.-' '__')"
    od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
    printf '};\n'
done

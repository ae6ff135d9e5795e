# SPDX-License-Identifier: Apache-2.0
# Turns data/pi-ids.tsv, pi-releases.tsv, ur-releases.tsv, ur-types.tsv, pi-api.tsv, ur-functions.tsv, ur-tables.tsv, pi-symbols.tsv and
# pi-results.tsv into the tables of formats/pi/api.c.
# A name "X@1" is an older or newer signature of X.
BEGIN {
  FS = "\t"
}

function kind_of(type, role, is_ur) {
  if (is_ur && type in is_struct && type !~ /^ur_rect/) return "STRUCT"
  if (type ~ /\*$/ && type ~ /^(const )?char \*$/) return "STRING"
  if (type ~ /function|callback|deleter/) return "FUNCTION"
  if (type ~ /\*/) return "POINTER"
  if (type ~ /native_handle(_t)?$/) return type ~ /^(pi|ur)_native_handle(_t)?$/ ? "NATIVE" : "HANDLE"
  if (type == "float") return "FLOAT"
  if (type ~ /bool(_t)?$/) return "BOOL"
  if (type ~ /int32/ && type !~ /uint32/) return "INT"
  if (type ~ /^(const )?(pi_uint32|uint32_t|uint64_t|uint8_t|size_t)$/ || type ~ /sync_point/) return "UINT"
  if (type ~ /flags(_t)?$/ || type == "pi_queue_properties" || type == "pi_device_type") return "FLAGS"
  if (is_ur && type ~ /handle_t$/) return "HANDLE"
  if (!is_ur && type ~ /^pi_(platform|device|context|queue|mem|program|kernel|event|sampler)$/) return "HANDLE"
  if (type ~ /^pi_(ext_command_buffer(_command)?|(image|image_mem|interop_mem|interop_semaphore)_handle)$/) return "HANDLE"
  if (type ~ /^ur_rect/) return "POINTER"
  return "ENUM"
}

function type_of(type, object, is_ur) {
  if (object != "-") return object
  sub(/^const /, "", type)
  if (type == "size_t") return "size"
  if (type ~ /^char/) return "text"
  if (type ~ /function|callback|deleter/) return "function"
  if (type ~ /\*$/) return "void"
  sub(/_t$/, "", type)
  sub(/^pi_/, "", type)
  return type == "ur_bool" ? "bool" : type == "ur_native_handle" ? "native_handle" : type
}

FILENAME ~ /pi-ids/ {
  if (FNR == 1) n_lists = NF - 1
  for (i = 1; FNR == 1 && i <= n_lists; i++) list_name[i] = toupper(substr($(i + 1), 4))
  if (FNR > 1) {
    for (i = 1; i <= n_lists; i++) id_of[$1, i] = $(i + 1) == "" ? -1 : $(i + 1)
    if (!($1 in api)) { api[$1] = "PI"; params[$1] = -1; listed[++n_listed] = $1 }
  }
  next
}

FILENAME ~ /pi-releases/ {
  if (FNR > 1) pi_releases = pi_releases sprintf("  { \"%s\", %d, TT_PI_IDS_%s, %d },\n", $1, $3, toupper($4), $5)
  next
}

FILENAME ~ /ur-releases/ {
  if (FNR > 1) releases = releases sprintf("  { %d, %d, \"%s\", %s },\n", $2, $3, $4, $5 == "-" ? "false" : "true")
  next
}

FILENAME ~ /ur-tables/ {
  if (FNR == 1) next
  if (!known_table[$1]++) n_tables++
  if ($2 >= n_places) n_places = $2 + 1
  places = places sprintf("  { \"%s\", %d, \"%s\", \"%s\" },\n", $1, $2, $3, $4)
  next
}

FILENAME ~ /ur-types/ {
  if (FNR == 1) next
  if ($1 == "enum" || $1 == "flag") {
    if ($2 == "ur_result") results = results sprintf("  { TT_PI_API_UR, %s, \"%s\", \"%s\" },\n", $3, $4, $10)
    else add_symbol($2 ($1 == "flag" ? "s" : ""), $3, $4, $5, $10)
    next
  }
  is_struct[$2 "_t"] = 1
  size_of[$2 "\t" $10] = $11
  key = $2 "\t" $10
  if (!(key in members)) {
    structs[++n_structs] = key
    is_union[key] = $1 == "union"
  }
  member[key, members[key]++] = $0
  next
}

FILENAME ~ /pi-api|ur-functions/ {
  if (FNR == 1) next
  is_ur = FILENAME ~ /ur-functions/
  name = $2
  if (!(name in api) || params[name] < 0) {
    if (!(name in api)) listed[++n_listed] = name
    api[name] = is_ur ? "UR" : "PI"
    params[name] = 0
    packed[name] = 0
    if (is_ur) for (i = 1; i <= n_lists; i++) id_of[name, i] = $1
    held[name] = $10 != "-" ? "\"" $10 "\"" : "NULL"
  }
  if ($3 == "-") next
  n = params[name]++
  packed[name] += $6
  argument[name, n] = $4
  line[name, n] = sprintf("{ \"%s\", \"%s\", TT_PI_KIND_%s, TT_PI_ROLE_%s, %d,", $4, type_of($5, $8, is_ur),
                          kind_of($5, $7, is_ur), toupper($7), $6)
  count[name, n] = $9
  next
}

FILENAME ~ /pi-symbols/ { if (FNR > 1) add_symbol($1, $2, $3, "-", ""); next }
FILENAME ~ /pi-results/ { if (FNR > 1) results = results sprintf("  { TT_PI_API_%s, %s, \"%s\", NULL },\n", toupper($1), $2, $3) }

# Sorted by type and value; of two releases' names for one value the newest comes first.
function add_symbol(type, value, name, of, held) {
  sub(/_t(\[\])?$/, of ~ /\[\]$/ ? "[]" : "", of)
  sub(/_t \*$/, " *", of)
  last = held
  sub(/.*[-,]/, "", last)
  symbol_key[++n_symbols] = sprintf("%s %020.0f %05d", type, value, 99999 - last)
  symbol_text[n_symbols] = sprintf("  { \"%s\", %sU, \"%s\", %s, %s },\n", type, value, name,
                                   of == "-" ? "NULL" : "\"" of "\"", held == "" ? "NULL" : "\"" held "\"")
}

# Heap sort of symbol_key and symbol_text.
function sift(from, to,    child, key, text) {
  key = symbol_key[from]
  text = symbol_text[from]
  for (; (child = 2 * from) <= to; from = child) {
    if (child < to && symbol_key[child] < symbol_key[child + 1]) child++
    if (key >= symbol_key[child]) break
    symbol_key[from] = symbol_key[child]
    symbol_text[from] = symbol_text[child]
  }
  symbol_key[from] = key
  symbol_text[from] = text
}

function swap(a, b,    key, text) {
  key = symbol_key[a]
  text = symbol_text[a]
  symbol_key[a] = symbol_key[b]
  symbol_text[a] = symbol_text[b]
  symbol_key[b] = key
  symbol_text[b] = text
}

function sort_symbols(    i) {
  for (i = int(n_symbols / 2); i > 0; i--) sift(i, n_symbols)
  for (i = n_symbols; i > 1; i--) {
    swap(1, i)
    sift(1, i - 1)
  }
}

function print_struct(key, n,    i, j, count, row, other) {
  printf "static const TtPiMember members_%d[] = {\n", n
  for (i = 0; i < members[key]; i++) {
    split(member[key, i], row, "\t")
    count = -1
    for (j = 0; j < members[key]; j++) {
      split(member[key, j], other, "\t")
      if (other[4] == row[9]) count = j
    }
    printf "  { { \"%s\", \"%s\", TT_PI_KIND_%s, TT_PI_ROLE_%s, %d, %d }, %d },\n", row[4], type_of(row[5], row[8], 1),
           kind_of(row[5], row[7], 1), toupper(row[7]), row[6], count, row[3]
  }
  print "};"
}

function index_of(name, what,    i) {
  for (i = 0; i < params[name]; i++) if (argument[name, i] == what) return i
  return -1
}

function print_params(name,    i, identifier) {
  if (params[name] < 0) return
  identifier = name
  sub(/@/, "_", identifier)
  printf "static const TtPiParam params_%s[] = {\n", identifier
  for (i = 0; i < params[name]; i++) printf "  %s %d },\n", line[name, i], index_of(name, count[name, i])
  if (params[name] == 0) print "  { NULL, NULL, 0, 0, 0, -1 },"
  print "};"
}

function print_function(name, place,    base, identifier, i) {
  base = identifier = name
  sub(/@.*/, "", base)
  sub(/@/, "_", identifier)
  printf "  { \"%s\", TT_PI_API_%s, %d, %d, %d, {", base, api[base], params[name] < 0 ? 0 : params[name], packed[name], place
  for (i = 1; i <= n_lists; i++) printf " %d,", id_of[base, i]
  printf " }, %s, %s },\n", params[name] < 0 ? "NULL" : "params_" identifier, name in held ? held[name] : "NULL"
}

END {
  for (i = 2; i <= n_listed; i++) {
    name = listed[i]
    for (j = i - 1; j > 0 && listed[j] > name; j--) listed[j + 1] = listed[j]
    listed[j + 1] = name
  }
  print "/* Made by formats/pi/api-tables.awk. */"
  for (i = 1; i <= n_listed; i++) print_params(listed[i])
  print "const TtPiFunction tt_pi_functions[] = {"
  for (i = 1; i <= n_listed; i++) if (listed[i] !~ /@/) {
    place[listed[i]] = n_functions++
    print_function(listed[i], place[listed[i]])
    for (k = 1; k <= n_lists; k++) {
      id = id_of[listed[i], k]
      key = api[listed[i]] == "UR" ? n_lists + 1 : k
      if (id >= 0) { at[key, id] = place[listed[i]] + 1; if (id > most[key]) most[key] = id }
    }
  }
  print "};\n"
  print "static const TtPiFunction variants[] = {"
  for (i = 1; i <= n_listed; i++) if (listed[i] ~ /@/) {
    base = listed[i]
    sub(/@.*/, "", base)
    print_function(listed[i], place[base])
  }
  print "};\n"
  print "/* Index + 1 in tt_pi_functions of an id; 0: none. */"
  for (k = 1; k <= n_lists + 1; k++) {
    printf "static const uint16_t by_id_%d[] = {", k
    for (id = 0; id <= most[k]; id++) printf "%s%d,", id % 20 ? " " : "\n  ", at[k, id]
    print "\n};"
  }
  print "static const List lists[] = {"
  for (k = 1; k <= n_lists; k++) printf "  [TT_PI_IDS_%s] = { by_id_%d, COUNT (by_id_%d) },\n", list_name[k], k, k
  printf "  [TT_PI_N_IDS] = { by_id_%d, COUNT (by_id_%d) },\n};\n", k, k
  printf "enum { N_LISTS = %d };\n\n", n_lists
  print "const TtPiVersion tt_pi_versions[] = {\n" pi_releases "};"
  print "\nstatic const Symbol symbols[] = {"
  sort_symbols()
  for (i = 1; i <= n_symbols; i++) printf "%s", symbol_text[i]
  print "};\n"
  for (i = 1; i <= n_structs; i++) print_struct(structs[i], i)
  print "\nstatic const TtPiStruct structs[] = {"
  for (i = 1; i <= n_structs; i++) {
    split(structs[i], part, "\t")
    printf "  { \"%s\", \"%s\", %d, %d, %s, members_%d },\n", part[1], part[2], size_of[structs[i]], members[structs[i]],
           is_union[structs[i]] ? "true" : "false", i
  }
  print "};\n"
  print "static const Release releases[] = {\n" releases "};\n"
  print "enum { N_TABLES = " n_tables ", N_PLACES = " n_places " };\n"
  print "static const Place places[] = {\n" places "};\n"
  print "static const Result results[] = {\n" results "};"
}

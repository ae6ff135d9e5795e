/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof (array) / sizeof ((array)[0]))

typedef struct
{
  const char *type;
  uint64_t value;
  const char *name;
  const char *answer; /* of a query for it; NULL: not known */
  const char *releases;
} Symbol;

typedef struct
{
  uint8_t api;
  int32_t code;
  const char *name;
  const char *releases;
} Result;

typedef struct
{
  uint8_t major, minor;
  const char *date; /* from when on the header was so */
  bool is_published;
} Release;

/* Of a function in a table of UR. */
typedef struct
{
  const char *table;
  uint8_t place;
  const char *name;
  const char *releases;
} Place;

/* Of the functions by id. */
typedef struct
{
  const uint16_t *places;
  size_t n;
} List;

#include "formats/pi/api-tables.h"

#define ONE(table) +1
_Static_assert(TT_PI_UR_TABLES (ONE) == N_TABLES, "TT_PI_UR_TABLES has those of data/ur-tables.tsv");
_Static_assert((int) N_LISTS == (int) TT_PI_N_IDS, "TtPiIds has the columns of data/pi-ids.tsv");
_Static_assert(N_PLACES <= TT_PI_UR_TABLE_PLACES, "no table has more places");
#undef ONE

const unsigned tt_pi_n_functions = COUNT (tt_pi_functions);
const unsigned tt_pi_n_versions = COUNT (tt_pi_versions);

static int
compare_name (const void *name, const void *function)
{
  return strcmp (name, ((const TtPiFunction *) function)->name);
}

const TtPiFunction *
tt_pi_function_by_name (const char *name)
{
  return bsearch (name, tt_pi_functions, COUNT (tt_pi_functions), sizeof (tt_pi_functions[0]), compare_name);
}

const TtPiFunction *
tt_pi_function_by_id (TtPiApi api, TtPiIds ids, uint32_t id)
{
  size_t list = api == TT_PI_API_UR ? TT_PI_N_IDS : (size_t) ids;

  if (list >= COUNT (lists) || id >= lists[list].n || lists[list].places[id] == 0)
    return NULL;
  return &tt_pi_functions[lists[list].places[id] - 1];
}

int
tt_pi_ids_of_minor (unsigned minor)
{
  for (size_t i = 0; i < COUNT (tt_pi_versions); i++)
    if (tt_pi_versions[i].minor == minor)
      return tt_pi_versions[i].ids;
  return -1;
}

const TtPiFunction *
tt_pi_function_variant (const TtPiFunction *function, unsigned n_params, unsigned packed)
{
  if ((n_params == 0 || function->n_params == n_params) && (packed == 0 || function->packed == packed))
    return function;
  for (size_t i = 0; i < COUNT (variants); i++)
    if (variants[i].index == function->index && (n_params == 0 || variants[i].n_params == n_params) &&
        (packed == 0 || variants[i].packed == packed))
      return &variants[i];
  return NULL;
}

/* Whether "3-7,9" has @release. Without a release everything is taken that the newest one has. */
static bool
holds (const char *numbers, unsigned release)
{
  if (numbers == NULL)
    return true;
  if (release == 0)
    release = COUNT (releases);
  while (*numbers != '\0')
    {
      char *end;
      unsigned long first = strtoul (numbers, &end, 10), last = *end == '-' ? strtoul (end + 1, &end, 10) : first;
      if (release >= first && release <= last)
        return true;
      numbers = *end == ',' ? end + 1 : end;
    }
  return false;
}

const TtPiFunction *
tt_pi_function_of_release (const TtPiFunction *function, unsigned release)
{
  if (release == 0 || holds (function->releases, release))
    return function;
  for (size_t i = 0; i < COUNT (variants); i++)
    if (variants[i].index == function->index && holds (variants[i].releases, release))
      return &variants[i];
  return NULL;
}

const TtPiFunction *
tt_pi_function_near_release (const TtPiFunction *function, unsigned release)
{
  const TtPiFunction *found = tt_pi_function_of_release (function, release);

  for (unsigned far = 1; found == NULL && far < COUNT (releases); far++)
    {
      found = release > far ? tt_pi_function_of_release (function, release - far) : NULL;
      if (found == NULL && release + far <= COUNT (releases))
        found = tt_pi_function_of_release (function, release + far);
    }
  return found;
}

bool
tt_pi_function_has_sizes (const TtPiFunction *function, const uint8_t *sizes, unsigned n_params)
{
  if (function->n_params != n_params || (n_params > 0 && function->params == NULL))
    return false;
  for (unsigned i = 0; i < n_params; i++)
    if (function->params[i].size != sizes[i])
      return false;
  return true;
}

const TtPiFunction *
tt_pi_function_of_sizes (const TtPiFunction *function, const uint8_t *sizes, unsigned n_params)
{
  if (tt_pi_function_has_sizes (function, sizes, n_params))
    return function;
  for (size_t i = 0; i < COUNT (variants); i++)
    if (variants[i].index == function->index && tt_pi_function_has_sizes (&variants[i], sizes, n_params))
      return &variants[i];
  return NULL;
}

const TtPiFunction *
tt_pi_function_as_recorded (const TtPiFunction *function, unsigned release, const uint8_t *sizes, unsigned n_params)
{
  const TtPiFunction *own = tt_pi_function_near_release (function, release);

  return own != NULL && tt_pi_function_has_sizes (own, sizes, n_params)
             ? own
             : tt_pi_function_of_sizes (function, sizes, n_params);
}

unsigned
tt_pi_release_find (unsigned major,
                    unsigned minor,
                    bool (*has) (const char *name, void *data),
                    void *data,
                    unsigned *n_other)
{
  static uint16_t others[COUNT (releases)];
  unsigned best = 0, n_known = 0;

  memset (others, 0, sizeof others);
  for (size_t i = 0; i < COUNT (tt_pi_functions); i++)
    {
      const TtPiFunction *function = &tt_pi_functions[i];
      if (function->api != TT_PI_API_UR)
        continue;
      bool is_there = has != NULL && has (function->name, data);
      n_known += is_there;
      for (unsigned release = 1; release <= COUNT (releases); release++)
        others[release - 1] += (tt_pi_function_of_release (function, release) != NULL) != is_there;
    }
  for (unsigned i = 0; i < COUNT (releases); i++)
    {
      if (releases[i].major != major || releases[i].minor != minor)
        continue;
      bool is_better =
          best == 0 || (n_known == 0 ? releases[i].is_published || !releases[best - 1].is_published
                                     : others[i] < others[best - 1] ||
                                           (others[i] == others[best - 1] &&
                                            (releases[i].is_published || !releases[best - 1].is_published)));
      if (is_better)
        best = i + 1;
    }
  *n_other = best == 0 || n_known == 0 ? 0 : others[best - 1];
  return best;
}

bool
tt_pi_release_name (unsigned release, char *name, unsigned size)
{
  if (release == 0 || release > COUNT (releases))
    return false;
  snprintf (name, size, "%u.%u of %s", releases[release - 1].major, releases[release - 1].minor,
            releases[release - 1].date);
  return true;
}

const TtPiFunction *
tt_pi_table_function (const char *table, unsigned place, unsigned release)
{
  for (size_t i = 0; i < COUNT (places); i++)
    if (places[i].place == place && strcmp (places[i].table, table) == 0 && holds (places[i].releases, release))
      {
        const TtPiFunction *function = tt_pi_function_by_name (places[i].name);
        return function != NULL ? tt_pi_function_near_release (function, release) : NULL;
      }
  return NULL;
}

const TtPiStruct *
tt_pi_struct (const char *name, unsigned release)
{
  for (size_t i = 0; i < COUNT (structs); i++)
    if (strcmp (structs[i].name, name) == 0 && holds (structs[i].releases, release))
      return &structs[i];
  return NULL;
}

/* Copies @name in lower case after @prefix, without what does not fit. */
static const char *
lower_name (char *to, size_t size, const char *prefix, const char *name)
{
  size_t n = (size_t) snprintf (to, size, "%s%s", prefix, name);

  for (size_t i = 0; i < n && i < size; i++)
    if (to[i] >= 'A' && to[i] <= 'Z')
      to[i] = (char) (to[i] - 'A' + 'a');
  return to;
}

const TtPiStruct *
tt_pi_struct_by_type (uint32_t stype, unsigned release)
{
  const char *name = tt_pi_enum_name ("ur_structure_type", stype, release);
  char text[128];

  return name == NULL ? NULL : tt_pi_struct (lower_name (text, sizeof text, "ur_", name), release);
}

const TtPiMember *
tt_pi_union_member (const TtPiStruct *self, const char *type, uint64_t value, unsigned release)
{
  /* Where the name of the value is not the member's. */
  static const struct
  {
    const char *value, *member;
  } others[] = {
    { "mem_obj", "memObjTuple" },
    { "by_counts", "count" },
    { "by_affinity_domain", "affinity_domain" },
    { "uint32", "data32" },
    { "uint64", "data64" },
    { "string", "pString" },
    { "byte_array", "pData" },
    { "local", "" },
    { "cluster_dimension", "clusterDim[0]" },
    { "work_group_memory", "workgroup_mem_size" },
  };
  const char *name = tt_pi_enum_name (type, value, release);
  char text[128];

  if (name == NULL)
    return NULL;
  name = lower_name (text, sizeof text, "", name);
  for (size_t i = 0; i < COUNT (others); i++)
    if (strcmp (others[i].value, name) == 0)
      name = others[i].member;
  for (unsigned i = 0; i < self->n_members; i++)
    if (strcmp (self->members[i].param.name, name) == 0)
      return &self->members[i];
  return NULL;
}

bool
tt_pi_function_has_variants (const TtPiFunction *function)
{
  for (size_t i = 0; i < COUNT (variants); i++)
    if (variants[i].index == function->index)
      return true;
  return false;
}

const char *
tt_pi_result_name (TtPiApi api, int32_t result, unsigned release)
{
  for (size_t i = 0; i < COUNT (results); i++)
    if (results[i].api == api && results[i].code == result && holds (results[i].releases, release))
      return results[i].name;
  return NULL;
}

/* piPlatformGetInfo, piProgramGetBuildInfo, piextUSMGetMemAllocInfo ... */
static bool
is_query (const char *name)
{
  size_t len = strlen (name);

  return len > 4 && strcmp (name + len - 4, "Info") == 0 && strstr (name, "Get") != NULL;
}

bool
tt_pi_result_is_probing (const TtPiFunction *function, int32_t result, unsigned release)
{
  const char *name = function == NULL || result == 0 ? NULL : tt_pi_result_name (function->api, result, release);

  if (name == NULL)
    return false;
  if (strncmp (name, "ERROR_", 6) == 0)
    name += 6;
  if (strcmp (name, "INVALID_BINARY") == 0)
    return strcmp (function->name,
                   function->api == TT_PI_API_UR ? "urDeviceSelectBinary" : "piextDeviceSelectBinary") == 0;
  return (strcmp (name, "INVALID_VALUE") == 0 ||
          (function->api == TT_PI_API_UR && strcmp (name, "UNSUPPORTED_ENUMERATION") == 0)) &&
         is_query (function->name);
}

typedef struct
{
  const char *type;
  uint64_t value;
} SymbolKey;

static int
compare_symbol (const void *key, const void *symbol)
{
  const SymbolKey *wanted = key;
  const Symbol *at = symbol;
  int order = strcmp (wanted->type, at->type);

  return order != 0 ? order : (wanted->value > at->value) - (wanted->value < at->value);
}

/* Names of several releases stand together, the newest first. */
static const Symbol *
find_symbol (const char *type, uint64_t value, unsigned release)
{
  const SymbolKey key = { type, value };
  const Symbol *at = bsearch (&key, symbols, COUNT (symbols), sizeof symbols[0], compare_symbol);

  if (at == NULL)
    return NULL;
  while (at > symbols && compare_symbol (&key, at - 1) == 0)
    at--;
  for (; at < symbols + COUNT (symbols) && compare_symbol (&key, at) == 0; at++)
    if (release == 0 || holds (at->releases, release))
      return at;
  return NULL;
}

const char *
tt_pi_enum_name (const char *type, uint64_t value, unsigned release)
{
  const Symbol *symbol = find_symbol (type, value, release);

  return symbol != NULL ? symbol->name : NULL;
}

const char *
tt_pi_enum_answer (const char *type, uint64_t value, unsigned release)
{
  const Symbol *symbol = find_symbol (type, value, release);

  return symbol != NULL ? symbol->answer : NULL;
}

const char *
tt_pi_flag_name (const char *type, unsigned bit, unsigned release)
{
  return bit < 64 ? tt_pi_enum_name (type, UINT64_C (1) << bit, release) : NULL;
}

const char *
tt_pi_backend_name (int backend)
{
  static const char *const names[] = { "host",      "opencl", "level_zero", "cuda",   "all",
                                       "esimd_cpu", "rocm",   "native_cpu", "offload" };

  return backend >= 0 && (size_t) backend < COUNT (names) ? names[backend] : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/api.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof (array) / sizeof ((array)[0]))

typedef struct
{
  const char *type;
  uint64_t value;
  const char *name;
} Symbol;

typedef struct
{
  uint8_t api;
  int32_t code;
  const char *name;
} Result;

#include "formats/pi/api-tables.h"

const unsigned tt_pi_n_functions = COUNT (tt_pi_functions);

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
  static const struct
  {
    const uint16_t *places;
    size_t n;
  } lists[] = {
    { by_id_1, COUNT (by_id_1) }, { by_id_2, COUNT (by_id_2) }, { by_id_3, COUNT (by_id_3) },
    { by_id_4, COUNT (by_id_4) }, { by_id_5, COUNT (by_id_5) },
  };
  size_t list = api == TT_PI_API_UR ? TT_PI_N_IDS : (size_t) ids;

  if (list >= COUNT (lists) || id >= lists[list].n || lists[list].places[id] == 0)
    return NULL;
  return &tt_pi_functions[lists[list].places[id] - 1];
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

bool
tt_pi_function_has_variants (const TtPiFunction *function)
{
  for (size_t i = 0; i < COUNT (variants); i++)
    if (variants[i].index == function->index)
      return true;
  return false;
}

const char *
tt_pi_result_name (TtPiApi api, int32_t result)
{
  for (size_t i = 0; i < COUNT (results); i++)
    if (results[i].api == api && results[i].code == result)
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
tt_pi_result_is_probing (const TtPiFunction *function, int32_t result)
{
  static const struct
  {
    int32_t invalid_value, unsupported, invalid_binary;
  } codes[] = { { -30, -30, -42 }, { 4, 54, 7 } };
  bool is_ur;

  if (function == NULL)
    return false;
  is_ur = function->api == TT_PI_API_UR;
  if (result == codes[is_ur].invalid_binary)
    return strcmp (function->name, is_ur ? "urDeviceSelectBinary" : "piextDeviceSelectBinary") == 0;
  return (result == codes[is_ur].invalid_value || result == codes[is_ur].unsupported) && is_query (function->name);
}

const char *
tt_pi_enum_name (const char *type, uint64_t value)
{
  for (size_t i = 0; i < COUNT (symbols); i++)
    if (symbols[i].value == value && strcmp (symbols[i].type, type) == 0)
      return symbols[i].name;
  return NULL;
}

const char *
tt_pi_flag_name (const char *type, unsigned bit)
{
  return bit < 64 ? tt_pi_enum_name (type, UINT64_C (1) << bit) : NULL;
}

const char *
tt_pi_backend_name (int backend)
{
  static const char *const names[] = { "host",      "opencl", "level_zero", "cuda",   "all",
                                       "esimd_cpu", "rocm",   "native_cpu", "offload" };

  return backend >= 0 && (size_t) backend < COUNT (names) ? names[backend] : NULL;
}

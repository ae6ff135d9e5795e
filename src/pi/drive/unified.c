/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* What is other with the Unified Runtime: a loader or an adapter has its functions, and rectangles go by value. */
#include "formats/pi/registers.h"
#include "src/pi/drive/private.h"

#include <dlfcn.h>
#include <string.h>

#define MAX_FILLED 4096

#define NAME(table) #table,
static const char *const tables[] = { TT_PI_UR_TABLES (NAME) };
#undef NAME

static const char *
load_loader (TtDriver *self, gpointer library, gint32 (*init) (guint32, gpointer))
{
  if (init (0, NULL) != 0)
    return "its urLoaderInit fails";
  for (guint i = 0; i < tt_pi_n_functions; i++)
    if (tt_pi_functions[i].api == TT_PI_API_UR)
      self->table[tt_pi_functions[i].index] = dlsym (library, tt_pi_functions[i].name);
  return NULL;
}

static const char *
load_adapter (TtDriver *self, gpointer library)
{
  g_autofree gpointer *places = g_new (gpointer, MAX_FILLED);
  gboolean has_one = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *name = g_strdup_printf ("urGet%sProcAddrTable", tables[i]);
      gint32 (*get) (guint32, gpointer *);
      gpointer symbol = dlsym (library, name);
      if (symbol == NULL)
        continue;
      memcpy (&get, &symbol, sizeof get);
      memset (places, 0, MAX_FILLED * sizeof *places);
      if (get (self->version, places) != 0)
        return "it refuses the version of the recording";
      has_one = TRUE;
      for (guint place = 0; place < TT_PI_UR_TABLE_PLACES; place++)
        {
          const TtPiFunction *function = tt_pi_table_function (tables[i], place, self->release);
          if (function != NULL)
            self->table[function->index] = places[place];
        }
    }
  return has_one ? NULL : "it is neither a loader nor an adapter of the Unified Runtime";
}

const char *
tt_drive_unified_load (TtDriver *self, gpointer library)
{
  gint32 (*init) (guint32, gpointer);
  gpointer symbol = dlsym (library, "urLoaderInit");

  self->table = g_new0 (gpointer, tt_pi_n_functions);
  memcpy (&init, &symbol, sizeof init);
  return symbol != NULL ? load_loader (self, library, init) : load_adapter (self, library);
}

typedef struct
{
  guint64 words[TT_PI_N_STACK];
} Stack;

/* The registers are passed as words, the stack as one structure, which is where C has it. */
static gint32
call_with (gpointer at, const guint64 *r, const Stack *stack)
{
#if TT_PI_BY_ADDRESS
  gint32 (*function) (guint64, guint64, guint64, guint64, guint64, guint64, guint64, guint64, guint64, guint64, guint64,
                      guint64, guint64, guint64, guint64, guint64, guint64, guint64);
  const guint64 *s = stack->words;
  memcpy (&function, &at, sizeof function);
  return function (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8],
                   s[9]);
#else
  gint32 (*function) (guint64, guint64, guint64, guint64, guint64, guint64, Stack);
  memcpy (&function, &at, sizeof function);
  return function (r[0], r[1], r[2], r[3], r[4], r[5], *stack);
#endif
}

gint32
tt_drive_unified_call (const TtDriver *self, const TtDriveCall *call)
{
  const TtPiFunction *function = call->function->function;
  guint64 registers[TT_PI_N_REGISTERS] = { 0 };
  Stack stack = { { 0 } };
  guint n_registers = 0, n_stack = 0;

  for (guint i = 0; i < function->n_params; i++)
    {
      guint size = function->params[i].size;
      const guint8 *bytes = call->begin.args + call->function->shapes.offsets[i];
      if (size > 8 && !TT_PI_BY_ADDRESS)
        for (guint at = 0; at + 8 <= size && n_stack < TT_PI_N_STACK; at += 8)
          stack.words[n_stack++] = tt_pi_get (bytes + at, 8);
      else
        {
          guint64 word = size > 8 ? (guint64) (guintptr) bytes : call->args[i];
          if (n_registers < TT_PI_N_REGISTERS)
            registers[n_registers++] = word;
          else if (n_stack < TT_PI_N_STACK)
            stack.words[n_stack++] = word;
        }
    }
  return call_with (self->table[call->function->id], registers, &stack);
}

/* -- memory that is filled after a call has returned ------------------------------------------------ */

static guint64
late_key (guint64 instance, guint64 param)
{
  return instance * 256 + param;
}

void
tt_drive_late_add (TtDriver *self, const TtPiNativeBlock *block)
{
  guint64 instance, param;
  TtPiNativeBlock late;

  if (!tt_pi_native_late (block, &instance, &param, &late))
    return;
  guint64 key = late_key (instance, param);
  g_hash_table_insert (self->lates, g_memdup2 (&key, sizeof key), g_memdup2 (&late, sizeof late));
}

const TtPiNativeBlock *
tt_drive_late_find (const TtDriver *self, const TtDriveCall *call, guint param)
{
  guint64 key = late_key (call->begin.instance, param);

  return g_hash_table_lookup (self->lates, &key);
}

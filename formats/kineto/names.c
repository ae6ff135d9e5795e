/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/names.h"

#include "formats/kineto/roles.h"

#include <string.h>

/* Names with lower ids are remembered in tables, others are looked up each time. */
#define MAX_CACHED_NAMES (1u << 20)

/* A word of `facts`: traits, above them the role. */
#define TRAITS_MASK 0xffffu
#define ROLE_SHIFT 16
#define ROLE_MASK 0x3fu
#define IS_BLOCKING (1u << 30)
#define IS_KNOWN (1u << 31)

#define REFINED 256u /* a power of two */

/* A name with what arguments say; `name` 0: none. */
typedef struct
{
  const char *sub_op;
  guint64 communicator;
  guint32 name, refined;
  gboolean is_collective;
} Refined;

struct _KinetoNames
{
  TtSink *sink;
  const TtImportOptions *options;
  GArray *facts;                     /* of guint32, by name */
  GArray *within[KINETO_N_CONTEXTS]; /* of guint32, by name; 0 = not asked yet */
  Refined refined[REFINED];          /* the latest of each place */
};

static const char *const op_cats[KINETO_N_CONTEXTS] = {
  [KINETO_IN_FORWARD] = "FW",
  [KINETO_IN_BACKWARD] = "BW",
  [KINETO_IN_UPDATE] = "UPDATE_",
  [KINETO_IN_LOADING] = "I/O",
};

KinetoNames *
tt_kineto_names_new (TtSink *sink, const TtImportOptions *options)
{
  KinetoNames *self = g_new0 (KinetoNames, 1);

  self->sink = sink;
  self->options = options;
  self->facts = g_array_new (FALSE, TRUE, sizeof (guint32));
  for (guint i = 0; i < KINETO_N_CONTEXTS; i++)
    self->within[i] = g_array_new (FALSE, TRUE, sizeof (guint32));
  return self;
}

void
tt_kineto_names_free (KinetoNames *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  for (guint i = 0; i < KINETO_N_CONTEXTS; i++)
    g_array_unref (self->within[i]);
  g_free (self);
}

static guint32
traits_of (const TtName *name)
{
  guint32 traits = 0;

  if (name->rule == 0 && strcmp (name->op_cat, "COMP") == 0)
    traits |= KINETO_NAME_IS_OPEN;
  if (strcmp (name->op_cat, "UPDATE_") == 0)
    traits |= KINETO_NAME_IS_UPDATE;
  else if (strcmp (name->op_cat, "I/O") == 0)
    traits |= KINETO_NAME_IS_LOADING;
  else if (strcmp (name->op_cat, "Comm") == 0)
    traits |= KINETO_NAME_IS_COMM;
  if (tt_kineto_is_launch (name->raw))
    traits |= KINETO_NAME_IS_LAUNCH;
  if (tt_kineto_is_engine (name->raw))
    traits |= KINETO_NAME_IS_ENGINE;
  if (g_str_has_prefix (name->raw, "Optimizer.zero_grad"))
    traits |= KINETO_NAME_IS_RESET;
  if (g_str_has_prefix (name->raw, "Optimizer.step#"))
    traits |= KINETO_NAME_IS_OPTIMIZER;
  if (tt_kineto_step_number (name->raw) != TT_NO_STEP)
    traits |= KINETO_NAME_IS_STEP;
  if (strcmp (name->raw, "record_param_comms") == 0)
    traits |= KINETO_NAME_IS_PARAMS;
  if (name->is_collective)
    traits |= KINETO_NAME_IS_JOINT;
  return traits;
}

static guint32
facts_of (KinetoNames *self, guint32 name)
{
  gboolean blocks;
  TtName found;

  if (G_LIKELY (name < self->facts->len))
    {
      guint32 known = g_array_index (self->facts, guint32, name);
      if (G_LIKELY (known != 0))
        return known;
    }
  if (!tt_names_get (self->sink->names, name, &found))
    return 0;
  TtActivityRole role = tt_kineto_role (found.group, found.raw, &blocks);
  guint32 facts = traits_of (&found) | IS_KNOWN | (guint32) role << ROLE_SHIFT;
  if (blocks)
    facts |= IS_BLOCKING;
  if (tt_activity_is_mark (role))
    facts |= KINETO_NAME_IS_MARK;
  if (self->options->is_step != NULL && self->options->is_step (found.raw, self->options->is_step_data))
    facts |= KINETO_NAME_IS_CHOSEN;
  if (name < MAX_CACHED_NAMES)
    {
      if (name >= self->facts->len)
        g_array_set_size (self->facts, MAX (name + 1, MIN (self->facts->len * 2, MAX_CACHED_NAMES)));
      g_array_index (self->facts, guint32, name) = facts;
    }
  return facts;
}

guint32
tt_kineto_names_traits (KinetoNames *self, guint32 name)
{
  return facts_of (self, name) & TRAITS_MASK;
}

TtActivityRole
tt_kineto_names_role (KinetoNames *self, guint32 name, gboolean *blocks)
{
  guint32 facts = facts_of (self, name);

  *blocks = (facts & IS_BLOCKING) != 0;
  return (TtActivityRole) (facts >> ROLE_SHIFT & ROLE_MASK);
}

/* *line 0: it has none ("<built-in method relu>", "nn.Module: Linear_0"). The file; free it. */
static char *
split_location (const char *raw, gint64 *line)
{
  const char *end = strstr (raw, "): "), *begin = end;
  guint64 number;

  *line = 0;
  while (begin != NULL && begin > raw && g_ascii_isdigit (begin[-1]))
    begin--;
  if (begin == NULL || begin - raw < 2 || begin[-1] != '(')
    return NULL;
  g_autofree char *digits = g_strndup (begin, (gsize) (end - begin));
  if (!g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT32, &number, NULL))
    return NULL;
  *line = (gint64) number;
  return g_strndup (raw, (gsize) (begin - 1 - raw));
}

guint32
tt_kineto_python_name (TtTraceEventImport *import, const TtTraceEvent *event)
{
  const TtByteKey key = { .salt = TT_SALT_DIALECT, .a = event->name.raw, .b = event->cat.raw };
  guint64 hash;
  guint32 name = tt_byte_ids_find (import->names, &key, &hash);

  if (name != 0)
    return name;
  if (event->name.kind != TT_JSON_STRING)
    return tt_trace_event_name (import, event);
  g_autofree char *raw = tt_json_text (&event->name);
  g_autofree char *group = tt_json_text (&event->cat);
  gint64 line;
  g_autofree char *file = split_location (raw, &line);
  name = tt_sink_name (import->sink, &(TtRawName){ .raw = raw, .group = group, .file = file, .line = line });
  tt_byte_ids_set (import->names, &key, hash, name);
  return name;
}

/* A name like @name, but with what @wanted has. */
static guint32
intern_like (KinetoNames *self, guint32 name, TtRawName wanted)
{
  TtName found;

  if (!tt_names_get (self->sink->names, name, &found))
    return name;
  g_autofree char *raw = g_strdup (found.raw);
  g_autofree char *group = g_strdup (found.group);
  g_autofree char *file = g_strdup (found.file);
  wanted.raw = raw;
  wanted.group = group;
  wanted.file = file;
  wanted.line = found.line;
  return tt_sink_name (self->sink, &wanted);
}

guint32
tt_kineto_names_within (KinetoNames *self, guint32 name, KinetoContext context)
{
  GArray *table = self->within[context];

  if (op_cats[context] == NULL)
    return name;
  if (G_LIKELY (name < table->len && g_array_index (table, guint32, name) != TT_NO_ID))
    return g_array_index (table, guint32, name);

  guint32 id = intern_like (self, name, (TtRawName){ .op_cat = op_cats[context] });
  if (name < MAX_CACHED_NAMES)
    {
      if (name >= table->len)
        g_array_set_size (table, MAX (name + 1, MIN (table->len * 2, MAX_CACHED_NAMES)));
      g_array_index (table, guint32, name) = id;
    }
  return id;
}

guint32
tt_kineto_names_refine (KinetoNames *self,
                        guint32 name,
                        const char *sub_op,
                        gboolean is_collective,
                        guint64 communicator)
{
  const TtRawName wanted = { .sub_op = sub_op, .is_collective = is_collective, .communicator = communicator };
  Refined *known = &self->refined[(name + communicator + (sub_op != NULL ? (guint8) *sub_op : 0)) % REFINED];

  if (known->name == name && known->sub_op == sub_op && known->is_collective == is_collective &&
      known->communicator == communicator && name != 0)
    return known->refined;
  *known = (Refined){ sub_op, communicator, name, intern_like (self, name, wanted), is_collective };
  return known->refined;
}

gint32
tt_kineto_names_step (KinetoNames *self, guint32 name)
{
  TtName found;

  return tt_names_get (self->sink->names, name, &found) ? tt_kineto_step_number (found.raw) : TT_NO_STEP;
}

/* -- where a span lies ---------------------------------------------------------------------------------- */

KinetoContext
tt_kineto_context (KinetoKind kind,
                   KinetoAutograd autograd,
                   guint32 traits,
                   KinetoContext parent,
                   gboolean begins_link,
                   gboolean ends_link,
                   gboolean *is_renamed)
{
  *is_renamed = FALSE;
  if ((traits & KINETO_NAME_IS_UPDATE) != 0)
    return KINETO_IN_UPDATE;
  if ((traits & KINETO_NAME_IS_LOADING) != 0)
    return KINETO_IN_LOADING;
  if ((traits & KINETO_NAME_IS_OPEN) == 0)
    return parent;

  *is_renamed = TRUE;
  if ((traits & KINETO_NAME_IS_RESET) != 0)
    return KINETO_IN_RESET;
  if (kind != KINETO_OPERATOR || parent == KINETO_IN_BACKWARD)
    return parent;
  if (autograd == KINETO_BACKWARD || ends_link || (traits & KINETO_NAME_IS_ENGINE) != 0)
    return KINETO_IN_BACKWARD;
  if (begins_link)
    return KINETO_IN_FORWARD;
  if (autograd == KINETO_FORWARD && parent != KINETO_IN_LOADING && parent != KINETO_IN_RESET)
    return KINETO_IN_FORWARD;
  return parent;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/trial.h"

#include "analyzers/spans/kept-events.h"
#include "formats/pinsight/config-filter.h"
#include "formats/pinsight/span-facts.h"
#include "src/base/error.h"
#include "src/base/progress.h"

#include <math.h>
#include <string.h>

/* Programs that are not loaded at the same address each time lie far above this. */
#define LAST_FIXED_ADDRESS 0xffffffffu
/* Of more, the others are of the default: counts are kept of each for each plan that is tried. */
#define MOST_UNITS 1000u
#define ROWS_PER_CHECK 65536u

/* Ids of a database are what it says. */
static guint
kind_of_name (const TtTrialTrace *self, guint32 name)
{
  return name <= tt_store_max_name (self->store) ? self->kind_of[name] : TT_CTF_NO_KIND;
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 codeptr, name;
} RowKey;

static guint
hash_key (gconstpointer data)
{
  const RowKey *key = data;

  return (guint) (key->codeptr * 31 + key->name) ^ (guint) (key->codeptr >> 32);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (RowKey)) == 0;
}

static guint
find_row (const TtTrialTrace *self, guint64 codeptr, guint32 name)
{
  const RowKey key = { codeptr, name };

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->row_at, &key));
}

static void
free_units (gpointer units)
{
  g_array_unref (units);
}

static gboolean
read_rows (TtTrialTrace *self, GError **error)
{
  g_autoptr (GArray) table = tt_lexgions_new_recorded (self->store, NULL, error);
  tt_int128 all_ns = 0;

  if (table == NULL)
    return FALSE;
  self->rows = g_array_new (FALSE, TRUE, sizeof (TtTrialRow));
  self->row_units = g_ptr_array_new_with_free_func (free_units);
  self->row_at = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  for (guint i = 0; i < table->len; i++)
    all_ns += g_array_index (table, TtLexgionRow, i).self_ns;
  for (guint i = 0; i < table->len; i++)
    {
      const TtLexgionRow *row = &g_array_index (table, TtLexgionRow, i);
      const TtTrialRow made = { .codeptr = row->codeptr,
                                .name = row->name,
                                .kind = kind_of_name (self, row->name),
                                .imbalance = tt_lexgion_imbalance (row),
                                .share = all_ns == 0 ? 0 : 100.0 * (double) row->self_ns / (double) all_ns };
      RowKey *key = g_new0 (RowKey, 1);

      if (made.kind == TT_CTF_NO_KIND)
        {
          g_free (key);
          continue;
        }
      key->codeptr = row->codeptr;
      key->name = row->name;
      g_array_append_val (self->rows, made);
      g_ptr_array_add (self->row_units, g_array_new (FALSE, FALSE, sizeof (guint32)));
      g_hash_table_insert (self->row_at, key, GUINT_TO_POINTER (self->rows->len));
    }
  return TRUE;
}

/* -- kinds --------------------------------------------------------------------------------------------------------- */

static gboolean
see_name (const TtStoredName *name, gpointer data)
{
  TtTrialTrace *self = data;
  const TtFilterName facts = {
    .op_cat = name->op_cat, .op_name = name->op_name, .sub_op = name->sub_op, .group = name->group, .file = name->file
  };
  TtOperation operation = tt_config_operations_find (self->operations, &facts);
  guint at =
      operation.role == TT_ROLE_NONE ? TT_CTF_NO_KIND : tt_ctf_sizes_find (self->sizes, name->group, name->op_name);
  TtTrialKind *kind;

  self->kind_of[name->id] = at;
  self->role_of[name->id] = (guint8) operation.role;
  if (at == TT_CTF_NO_KIND)
    return TRUE;
  kind = &g_array_index (self->kinds, TtTrialKind, at);
  /* The program begins and ends with the events of a region. */
  if (kind->name == NULL || kind->operation.role == TT_ROLE_PLAIN)
    {
      const TtConfigDomain *domain = tt_config_domain (self->domains, operation.domain);
      int bit = operation.events == 0 ? -1 : g_bit_nth_lsf ((gulong) operation.events, -1);
      kind->operation = operation;
      g_free (kind->name);
      kind->name = g_strdup (bit < 0 ? name->op_name : tt_config_event (domain, (guint) bit)->name);
    }
  /* Operations of one kind of records that are several events of PInsight: off with all of them. */
  else if (kind->operation.role == operation.role)
    kind->operation.events |= operation.events;
  if (operation.role == TT_ROLE_DEVICE)
    self->devices[operation.domain] = TRUE;
  return TRUE;
}

static gboolean
read_kinds (TtTrialTrace *self, GError **error)
{
  self->kind_of = g_new (guint, (gsize) tt_store_max_name (self->store) + 1);
  self->role_of = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  for (guint32 i = 0; i <= tt_store_max_name (self->store); i++)
    self->kind_of[i] = TT_CTF_NO_KIND;
  self->kinds = g_array_new (FALSE, TRUE, sizeof (TtTrialKind));
  g_array_set_size (self->kinds, self->sizes->kinds->len);
  for (guint i = 1; i < self->kinds->len; i++)
    {
      const TtCtfKindSize *size = self->sizes->kinds->pdata[i];
      g_array_index (self->kinds, TtTrialKind, i).bytes =
          size->n_spans == 0 ? 0 : (double) size->n_bits / 8 / (double) size->n_spans;
    }
  return tt_store_each_name (self->store, see_name, self, error);
}

/* -- units --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtTrialTrace *trace;
  GHashTable *unit_at; /* codeptr -> unit */
  GArray *unit_of;     /* of guint32 */
  guint32 *first_names;
} Units;

static guint32
unit_of_codeptr (Units *self, guint64 codeptr, guint domain, gboolean is_new)
{
  gpointer known;

  if (codeptr == 0 || codeptr > LAST_FIXED_ADDRESS ||
      strcmp (tt_config_domain (self->trace->domains, domain)->name, "Python") == 0)
    return 0;
  known = g_hash_table_lookup (self->unit_at, GSIZE_TO_POINTER (codeptr));
  if (known == NULL && is_new && self->trace->units->len < MOST_UNITS)
    {
      const TtPlanUnit unit = { codeptr, domain, 0 };
      g_array_append_val (self->trace->units, unit);
      known = GUINT_TO_POINTER (self->trace->units->len - 1);
      g_hash_table_insert (self->unit_at, GSIZE_TO_POINTER (codeptr), known);
    }
  return GPOINTER_TO_UINT (known);
}

static void
count_invocation (Units *self, guint32 unit, guint64 codeptr, guint32 thread)
{
  const TtTrialSite key = { .codeptr = codeptr, .thread = thread };
  TtTrialSite *site = g_hash_table_lookup (self->trace->sites, &key);

  if (site == NULL)
    {
      site = g_memdup2 (&key, sizeof key);
      site->unit = unit;
      g_hash_table_add (self->trace->sites, site);
    }
  site->n++;
  TtPlanUnit *of = &g_array_index (self->trace->units, TtPlanUnit, unit);
  of->n_invocations = MAX (of->n_invocations, site->n);
}

static guint
hash_site (gconstpointer data)
{
  const TtTrialSite *site = data;

  return (guint) (site->codeptr * 31 + site->thread) ^ (guint) (site->codeptr >> 32);
}

static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  const TtTrialSite *one = a, *other = b;

  return one->codeptr == other->codeptr && one->thread == other->thread;
}

static void
note_row (const Units *self, const TtEvent *event, guint64 codeptr, guint32 unit)
{
  guint at = codeptr == 0 ? 0 : find_row (self->trace, codeptr, self->first_names[event->name]);

  if (at == 0)
    return;
  GArray *units = self->trace->row_units->pdata[at - 1];
  for (guint i = 0; i < units->len; i++)
    if (g_array_index (units, guint32, i) == unit)
      return;
  g_array_append_val (units, unit);
}

#define OF_NONE G_MAXUINT32

/* The unit that decides over the event. @is_first: only regions and calls, which make units. */
static guint32
place_event (Units *self, const TtEvent *event, gboolean is_first)
{
  guint kind = kind_of_name (self->trace, event->name);
  TtOperationRole role;
  TtSpanFacts facts = TT_SPAN_FACTS_INIT;
  guint32 unit;
  guint domain;

  if (kind == TT_CTF_NO_KIND)
    return OF_NONE;
  role = (TtOperationRole) self->trace->role_of[event->name];
  domain = g_array_index (self->trace->kinds, TtTrialKind, kind).operation.domain;
  if (event->args != NULL)
    tt_span_facts_read (&facts, event->args, event->args_len);
  gboolean counts = role == TT_ROLE_CALL || (role == TT_ROLE_REGION && facts.codeptr != 0);
  if (is_first)
    {
      if (counts)
        count_invocation (self, unit_of_codeptr (self, facts.codeptr, domain, TRUE), facts.codeptr, event->thread);
      return OF_NONE;
    }
  switch (role)
    {
    case TT_ROLE_NONE:
    case TT_ROLE_PLAIN:
    case TT_ROLE_DEVICE:
    case TT_ROLE_END:
      unit = OF_NONE;
      break;
    case TT_ROLE_CALL:
    case TT_ROLE_REGION:
      unit = counts ? unit_of_codeptr (self, facts.codeptr, domain, FALSE) : OF_NONE;
      break;
    default:
      unit = unit_of_codeptr (self, facts.parallel_codeptr, domain, FALSE);
      break;
    }
  if (unit != OF_NONE)
    note_row (self, event, facts.codeptr, unit);
  return unit;
}

static gboolean
scan_units (Units *self, gboolean is_first, GError **error)
{
  TtTrialTrace *trace = self->trace;
  TtEventScan *scan = tt_event_scan_new (trace->store, TT_SCAN_ARGS, error);
  guint64 n = 0;
  gboolean is_good = TRUE;
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (is_good && tt_event_scan_next (scan, &event))
    {
      guint32 unit = place_event (self, &event, is_first);

      is_good = ++n % ROWS_PER_CHECK != 0 || !tt_cancelled (error);
      if (is_first)
        continue;
      g_array_append_val (self->unit_of, unit);
      trace->n++;
      guint at = kind_of_name (trace, event.name);
      if (at == TT_CTF_NO_KIND)
        continue;
      TtTrialKind *kind = &g_array_index (trace->kinds, TtTrialKind, at);
      kind->n++;
      kind->total_ns += event.dur_ns == TT_NO_TIME ? 0 : event.dur_ns;
      trace->n_spans++;
    }
  return tt_event_scan_finish (scan, is_good ? error : NULL) && is_good;
}

static gboolean
read_units (TtTrialTrace *self, GError **error)
{
  g_autoptr (GHashTable) unit_at = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GArray) unit_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *first_names = tt_store_first_names (self->store, error);
  Units units = { self, unit_at, unit_of, first_names };
  const TtPlanUnit rest = { 0 };

  self->sites = g_hash_table_new_full (hash_site, equal_sites, g_free, NULL);
  self->units = g_array_new (FALSE, FALSE, sizeof (TtPlanUnit));
  g_array_append_val (self->units, rest);
  if (first_names == NULL || !scan_units (&units, TRUE, error) || !scan_units (&units, FALSE, error))
    return FALSE;
  self->unit_of = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&unit_of), FALSE);
  return TRUE;
}

/* -- the trace ------------------------------------------------------------------------------------------------------- */

TtTrialTrace *
tt_trial_trace_new (TtStore *store,
                    const TtConfigDomains *domains,
                    const TtConfigOperations *operations,
                    TtPInsight pinsight,
                    TtCtfSizes *sizes,
                    GError **error)
{
  g_autoptr (TtTrialTrace) self = g_new0 (TtTrialTrace, 1);

  self->store = store;
  self->domains = domains;
  self->operations = operations;
  self->pinsight = pinsight;
  self->sizes = sizes;
  self->devices = g_new0 (gboolean, domains->domains->len);
  if (!read_kinds (self, error) || !read_rows (self, error) || !read_units (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_trial_trace_free (TtTrialTrace *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->kinds != NULL && i < self->kinds->len; i++)
    g_free (g_array_index (self->kinds, TtTrialKind, i).name);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_clear_pointer (&self->sizes, tt_ctf_sizes_free);
  g_clear_pointer (&self->units, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->row_at, g_hash_table_unref);
  g_clear_pointer (&self->sites, g_hash_table_unref);
  g_clear_pointer (&self->row_units, g_ptr_array_unref);
  g_free (self->devices);
  g_free (self->kind_of);
  g_free (self->role_of);
  g_free (self->unit_of);
  g_free (self);
}

/* -- trying ---------------------------------------------------------------------------------------------------------- */

static gboolean
count_kept (const TtTrialTrace *trace, TtTrial *trial, const guint8 *bits, guint64 first, guint64 n, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (trace->store, 0, error);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  for (guint64 i = 0; tt_event_scan_next (scan, &event); i++)
    {
      guint64 at = event.id - first;
      guint kind = kind_of_name (trace, event.name);

      if (i >= trace->n || event.id < first || at >= n || (bits[at / 8] >> at % 8 & 1) == 0 || kind == TT_CTF_NO_KIND)
        continue;
      guint32 unit = MIN (trace->unit_of[i], trace->units->len);
      trial->counts[(gsize) unit * trace->kinds->len + kind]++;
      trial->n_kept++;
    }
  return tt_event_scan_finish (scan, error);
}

TtTrial *
tt_trial_new_empty (const TtTrialTrace *trace)
{
  TtTrial *self = g_new0 (TtTrial, 1);

  self->counts = g_new0 (guint32, (gsize) (trace->units->len + 1) * trace->kinds->len);
  self->imbalance = g_new (double, trace->rows->len + 1);
  for (guint i = 0; i < trace->rows->len; i++)
    self->imbalance[i] = NAN;
  return self;
}

void
tt_trial_take_rows (TtTrial *self, const TtTrialTrace *trace, const GArray *table)
{
  for (guint i = 0; i < table->len; i++)
    {
      const TtLexgionRow *row = &g_array_index (table, TtLexgionRow, i);
      guint at = find_row (trace, row->codeptr, row->name);
      if (at > 0)
        self->imbalance[at - 1] = tt_lexgion_imbalance (row);
    }
}

static gboolean
measure_rows (const TtTrialTrace *trace, TtTrial *trial, const guint8 *bits, guint64 first, guint64 n, GError **error)
{
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, NULL, TT_UNIT_NS, error);
  g_autoptr (GArray) table = NULL;

  if (selection == NULL || !tt_selection_bind (selection, trace->store, error))
    return FALSE;
  tt_selection_keep (selection, bits, first, n);
  table = tt_lexgions_new_recorded (trace->store, selection, error);
  if (table == NULL)
    return FALSE;
  tt_trial_take_rows (trial, trace, table);
  return TRUE;
}

TtTrial *
tt_trial_new (const TtTrialTrace *trace, const TtPlan *plan, GError **error)
{
  static const TtConfigFilterOptions options = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TtTrial) self = NULL;
  g_autoptr (TtConfig) config = NULL;
  guint64 first, n;

  tt_plan_write (plan, NULL, text);
  config = tt_config_parse_as (trace->domains, trace->pinsight, "suggestion", text->str, text->len);
  if (config->faults->len > 0)
    {
      const TtConfigFault *fault = config->faults->pdata[0];
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "PInsight of that time cannot be told what is needed: %s",
                   fault->text);
      return NULL;
    }
  g_autoptr (TtConfigFilter) filter = tt_config_filter_new (config, trace->operations, &options);
  g_autoptr (TtKeptEvents) kept = tt_kept_events_new (trace->store, tt_config_filter_base (filter), error);
  if (kept == NULL)
    return NULL;
  const guint8 *bits = tt_kept_events_bits (kept, &first, &n);
  self = tt_trial_new_empty (trace);
  if (!count_kept (trace, self, bits, first, n, error) || !measure_rows (trace, self, bits, first, n, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_trial_free (TtTrial *self)
{
  if (self == NULL)
    return;
  g_free (self->counts);
  g_free (self->imbalance);
  g_free (self);
}

guint64
tt_trial_bytes (const TtTrialTrace *trace, const guint64 *counts)
{
  g_autofree double *kept = g_new0 (double, trace->kinds->len);

  kept[0] = 1.0;
  for (guint i = 1; i < trace->kinds->len; i++)
    {
      const TtTrialKind *kind = &g_array_index (trace->kinds, TtTrialKind, i);
      kept[i] = kind->n == 0 ? 0.0 : MIN ((double) counts[i] / (double) kind->n, 1.0);
    }
  return tt_ctf_sizes_predict (trace->sizes, kept);
}

gboolean
tt_trial_is_off (const TtPlan *plan, const TtTrialKind *kind)
{
  guint domain = kind->operation.domain;

  if (kind->operation.role == TT_ROLE_DEVICE)
    return !plan->devices[domain];
  return kind->operation.events != 0 && (kind->operation.events & ~plan->off[domain]) == 0 &&
         kind->operation.role != TT_ROLE_REGION && kind->operation.role != TT_ROLE_PLAIN &&
         kind->operation.role != TT_ROLE_JOIN;
}

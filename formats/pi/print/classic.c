/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* The listing of the original program, to the letter: pi.md section 12. */
#include "formats/pi/print/print.h"

#include "src/base/digits.h"

#include <stdlib.h>
#include <string.h>

#define RULE "------------------------------------------\n"
#define VERBOSE_RULE "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
#define VALUE_LABEL "           <unknown> : "
#define POINTER_LABEL "       <unknown ptr> : 0x"
#define STRING_LABEL "            <string> : "
#define LABEL_BYTES (sizeof POINTER_LABEL - 1)
#define ARGUMENT_BYTES (LABEL_BYTES + 24)
#define PERF_NAME 35
#define PERF_CALLS 15
#define PERF_TIME 13

G_STATIC_ASSERT (sizeof VALUE_LABEL <= sizeof POINTER_LABEL);

/* -- numbers ------------------------------------------------------------------------------------------- */

static void
put_number (TtOutput *out, guint64 value)
{
  char *to = tt_output_reserve (out, 24);

  out->used += (gsize) (tt_put_decimal (to, value) - to);
}

/* -- texts ------------------------------------------------------------------------------------------------ */

static void
put_text (TtOutput *out, const char *bytes, gsize len)
{
  g_autoptr (GString) text = g_string_sized_new (len);

  tt_pi_text_append (text, bytes, len, FALSE);
  tt_output_bytes (out, text->str, text->len);
}

char *
tt_pi_safe_text (const char *text)
{
  GString *safe = g_string_new (NULL);

  tt_pi_text_append (safe, text, strlen (text), FALSE);
  return g_string_free (safe, FALSE);
}

static void
put_line (TtOutput *out, const char *label, const char *text)
{
  tt_output_text (out, label);
  put_text (out, text, strlen (text));
  tt_output_literal (out, "\n");
}

static void
put_number_line (TtOutput *out, const char *label, guint64 value)
{
  tt_output_text (out, label);
  put_number (out, value);
  tt_output_literal (out, "\n");
}

/* -- images --------------------------------------------------------------------------------------------------- */

static void
put_property (TtOutput *out, const TtPiProperty *property)
{
  static const char *const types[] = { "UNKNOWN", "uint32", "byte array", "string" };
  const char *type = types[property->type < G_N_ELEMENTS (types) ? property->type : 0];

  put_line (out, "          Name: ", property->name);
  put_number_line (out, "          Size: ", property->size);
  put_line (out, "          Type: ", type);
  if (property->type == 3 && property->data != NULL)
    {
      gsize len;
      const char *bytes = g_bytes_get_data (property->data, &len);

      tt_output_literal (out, "          Value: ");
      put_text (out, bytes, len);
      tt_output_literal (out, "\n");
    }
}

static void
put_counted (TtOutput *out, const char *label, guint n)
{
  tt_output_text (out, label);
  tt_output_literal (out, "[");
  put_number (out, n);
  tt_output_literal (out, "]:\n");
}

static void
put_image (TtOutput *out, const TtPiImage *image)
{
  static const char *const formats[] = { "None", "Native", "SPIR-V", "LLVM IR Bitcode" };

  put_line (out, "Image desc: ", image->path);
  put_number_line (out, "Version: ", image->version);
  put_number_line (out, "Kind: ", image->kind);
  put_line (out, "Format: ", formats[image->format < G_N_ELEMENTS (formats) ? image->format : 0]);
  put_line (out, "Device target: ", image->target);
  put_line (out, "Compile options: ", image->compile_options);
  put_line (out, "Link options: ", image->link_options);
  put_counted (out, "Offload entries ", image->entries->len);
  for (guint i = 0; i < image->entries->len; i++)
    {
      const TtPiEntry *entry = image->entries->pdata[i];

      put_number_line (out, "     Address: ", entry->address);
      put_line (out, "     Name: ", entry->name);
      put_number_line (out, "     Size: ", entry->size);
    }
  put_counted (out, "Property sets ", image->property_sets->len);
  for (guint i = 0; i < image->property_sets->len; i++)
    {
      const TtPiPropertySet *set = image->property_sets->pdata[i];

      put_line (out, "     Name: ", set->name);
      put_counted (out, "     Properties ", set->properties->len);
      for (guint k = 0; k < set->properties->len; k++)
        put_property (out, set->properties->pdata[k]);
    }
  tt_output_literal (out, "\n");
}

void
tt_pi_classic_images (TtOutput *out, const GPtrArray *images)
{
  tt_output_literal (out, "Binary images:\n\n");
  for (guint i = 0; i < images->len; i++)
    put_image (out, images->pdata[i]);
  tt_output_literal (out, RULE);
}

/* -- calls ------------------------------------------------------------------------------------------------------ */

static guint64
duration_us (const TtPiCall *call)
{
  return tt_pi_call_duration_ns (call) / 1000;
}

static void
put_verbose (TtOutput *out, const TtPiCall *call, const char *thread)
{
  static const char *const backends[] = { [1] = "OpenCL", [2] = "Level Zero", [3] = "CUDA", [6] = "ROCm" };

  tt_output_literal (out, "\n>" VERBOSE_RULE "\nThread ID          : ");
  tt_output_text (out, thread);
  if (call->backend >= 0)
    {
      gboolean is_known = call->backend < (gint32) G_N_ELEMENTS (backends) && backends[call->backend] != NULL;

      tt_output_literal (out, "\nBackend            : ");
      tt_output_text (out, is_known ? backends[call->backend] : "unknown");
    }
  tt_output_literal (out, "\nCall duration      : ");
  put_number (out, duration_us (call));
  tt_output_literal (out, "\nCaptured outputs   : ");
  put_number (out, call->n_outputs + (call->memory_file != NULL));
  tt_output_literal (out, "\n\n");
}

/* Native recordings have names for what no table knows. */
static gboolean
has_name (const TtPiCall *call)
{
  return call->function != NULL || !g_str_has_prefix (call->name, "pi#");
}

static void
put_name (TtOutput *out, const TtPiCall *call)
{
  if (call->function != NULL)
    tt_output_text (out, call->name);
  else if (has_name (call))
    put_text (out, call->name, strlen (call->name));
  else
    {
      tt_output_literal (out, "UNKNOWN ID : ");
      put_number (out, call->id);
    }
}

static void
put_string (TtOutput *out, const TtPiArg *arg)
{
  tt_output_literal (out, STRING_LABEL);
  put_text (out, arg->text, arg->text_len);
  tt_output_literal (out, "\n");
}

/* As the original casts it: its recorder gives every number that is no pointer one of the two signed types. */
static inline char *
put_integer (char *to, const TtPiArg *arg)
{
  gint64 value = arg->tag == TT_PI_TAG_INT32 ? (gint32) (guint32) arg->value : (gint64) arg->value;

  if (arg->tag == TT_PI_TAG_UINT32)
    return tt_put_decimal (to, (guint32) arg->value);
  if (value >= 0 || (arg->tag != TT_PI_TAG_INT32 && arg->tag != TT_PI_TAG_INT64))
    return tt_put_decimal (to, (guint64) value);
  *to++ = '-';
  return tt_put_decimal (to, -(guint64) value);
}

static inline void
put_value (TtOutput *out, const TtPiArg *arg)
{
  char *start = tt_output_reserve (out, ARGUMENT_BYTES), *at = start;

  if (arg->tag == TT_PI_TAG_POINTER)
    {
      memcpy (at, POINTER_LABEL, sizeof POINTER_LABEL - 1);
      at = tt_put_hex_digits (at + sizeof POINTER_LABEL - 1, arg->value);
    }
  else
    {
      memcpy (at, VALUE_LABEL, sizeof VALUE_LABEL - 1);
      at = put_integer (at + sizeof VALUE_LABEL - 1, arg);
    }
  *at++ = '\n';
  out->used += (gsize) (at - start);
}

void
tt_pi_classic_call (TtOutput *out, const TtPiCall *call, const char *thread, const char *verbose_thread)
{
  if (thread != NULL)
    {
      tt_output_literal (out, "THREAD : ");
      tt_output_text (out, thread);
      tt_output_literal (out, "\n");
    }
  if (verbose_thread != NULL)
    put_verbose (out, call, verbose_thread);

  tt_output_literal (out, "----> ");
  put_name (out, call);
  tt_output_literal (out, "(\n");
  for (guint i = 0; i < call->n_args; i++)
    if (call->args[i].text != NULL)
      put_string (out, &call->args[i]);
    else
      put_value (out, &call->args[i]);
  tt_output_literal (out, ") : ");
  put_number (out, (guint32) call->result);
  tt_output_literal (out, "\n");
  if (verbose_thread != NULL)
    tt_output_literal (out, "\n<" VERBOSE_RULE);
}

/* -- summary ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint32 id; /* must be first: it is the key */
  char *name;
  guint64 n, total, min, max;
} Times;

struct _TtPiClassicPerf
{
  GHashTable *by_id; /* Times by its id */
};

static void
times_free (gpointer data)
{
  Times *times = data;

  g_free (times->name);
  g_free (times);
}

TtPiClassicPerf *
tt_pi_classic_perf_new (void)
{
  TtPiClassicPerf *self = g_new0 (TtPiClassicPerf, 1);

  self->by_id = g_hash_table_new_full (g_int_hash, g_int_equal, times_free, NULL);
  return self;
}

void
tt_pi_classic_perf_free (TtPiClassicPerf *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_id);
  g_free (self);
}

void
tt_pi_classic_perf_add (TtPiClassicPerf *self, const TtPiCall *call)
{
  Times *times = g_hash_table_lookup (self->by_id, &call->id);
  guint64 us = duration_us (call);

  if (times == NULL)
    {
      times = g_new0 (Times, 1);
      times->id = call->id;
      times->name = call->function != NULL ? g_strdup (call->name)
                                           : g_strdup_printf ("UNKNOWN ID : %" G_GUINT32_FORMAT, call->id);
      times->min = G_MAXUINT64;
      g_hash_table_add (self->by_id, times);
    }
  times->n++;
  times->total += us;
  times->min = MIN (times->min, us);
  times->max = MAX (times->max, us);
}

static int
compare_ids (const void *a, const void *b)
{
  const Times *x = *(const Times *const *) a, *y = *(const Times *const *) b;

  return x->id < y->id ? -1 : x->id > y->id;
}

void
tt_pi_classic_perf_write (const TtPiClassicPerf *self, TtOutput *out)
{
  guint n_rows;
  g_autofree gpointer *rows = g_hash_table_get_keys_as_array (self->by_id, &n_rows);

  if (n_rows > 0)
    qsort (rows, n_rows, sizeof *rows, compare_ids);
  tt_output_literal (out, "Performance summary:\n");
  tt_output_printf (out, "%*s |      Calls      |    Min time     |    Max time     |    Avg time     |\n", PERF_NAME,
                    "");
  for (guint i = 0; i < n_rows; i++)
    {
      const Times *times = rows[i];

      tt_output_printf (out,
                        "%*s | %*" G_GUINT64_FORMAT " | %*" G_GUINT64_FORMAT "us | %*" G_GUINT64_FORMAT
                        "us | %*" G_GUINT64_FORMAT "us |\n",
                        PERF_NAME, times->name, PERF_CALLS, times->n, PERF_TIME, times->min, PERF_TIME, times->max,
                        PERF_TIME, times->total / times->n);
    }
}

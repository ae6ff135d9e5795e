/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/record.h"

#include <string.h>

typedef enum
{
  FORM_NUMBER,
  FORM_HANDLE,
  FORM_TRIPLE,
  FORM_TIME,
  FORM_VALUE,
  FORM_OPERATION,
  FORM_CORRELATION,
  FORM_DISPATCH,
} Form;

typedef struct
{
  const char *key;
  gsize len;
  Form form;
  gsize at; /* in the record */
  guint32 has;
} Field;

#define FIELD(key, form, member, has) { key, sizeof (key) - 1, form, G_STRUCT_OFFSET (TtRocprofRecord, member), has }

/* Bits that only become one of TtRocprofHas together. */
#define HAS_START (1u << 30)
#define HAS_END (1u << 31)
#define HAS_KIND (1u << 29)

static const Field fields[] = {
  FIELD ("start_timestamp", FORM_TIME, start_ns, HAS_START),
  FIELD ("end_timestamp", FORM_TIME, end_ns, HAS_END),
  FIELD ("thread_id", FORM_NUMBER, thread, TT_ROCPROF_HAS_THREAD),
  FIELD ("kind", FORM_NUMBER, kind, HAS_KIND),
  FIELD ("operation", FORM_OPERATION, operation, TT_ROCPROF_HAS_OPERATION),
  FIELD ("correlation_id", FORM_CORRELATION, correlation, 0),
  FIELD ("dispatch_info", FORM_DISPATCH, dispatch, TT_ROCPROF_HAS_DISPATCH),
  FIELD ("stream_id", FORM_HANDLE, stream, 0),
  FIELD ("args", FORM_VALUE, args, 0),
  FIELD ("retval", FORM_VALUE, retval, 0),
  FIELD ("dst_agent_id", FORM_HANDLE, destination, TT_ROCPROF_HAS_DESTINATION),
  FIELD ("src_agent_id", FORM_HANDLE, source, TT_ROCPROF_HAS_SOURCE),
  FIELD ("bytes", FORM_NUMBER, bytes, TT_ROCPROF_HAS_BYTES),
  FIELD ("agent_id", FORM_HANDLE, agent, TT_ROCPROF_HAS_AGENT),
  FIELD ("queue_id", FORM_HANDLE, queue, 0),
  FIELD ("allocation_size", FORM_NUMBER, bytes, TT_ROCPROF_HAS_BYTES),
  FIELD ("address", FORM_VALUE, address, 0),
  FIELD ("flags", FORM_NUMBER, flags, 0),
};

static const Field dispatch_fields[] = {
  FIELD ("agent_id", FORM_HANDLE, agent, TT_ROCPROF_HAS_AGENT),
  FIELD ("queue_id", FORM_HANDLE, queue, 0),
  FIELD ("kernel_id", FORM_NUMBER, kernel, 0),
  FIELD ("dispatch_id", FORM_NUMBER, dispatch, 0),
  FIELD ("private_segment_size", FORM_NUMBER, private_bytes, 0),
  FIELD ("group_segment_size", FORM_NUMBER, group_bytes, 0),
  FIELD ("workgroup_size", FORM_TRIPLE, workgroup, 0),
  FIELD ("grid_size", FORM_TRIPLE, grid, 0),
};

static gboolean
read_handle (const TtJsonValue *value, guint64 *number)
{
  TtJsonValue handle = value->kind == TT_JSON_OBJECT ? tt_json_get (value->raw, "handle") : *value;

  return tt_json_uint64 (&handle, number);
}

static gboolean
read_triple (const TtJsonValue *value, guint64 *numbers)
{
  static const char *const axes[] = { "x", "y", "z" };

  for (guint i = 0; value->kind == TT_JSON_OBJECT && i < G_N_ELEMENTS (axes); i++)
    {
      TtJsonValue axis = tt_json_get (value->raw, axes[i]);

      tt_json_uint64 (&axis, &numbers[i]);
    }
  return value->kind == TT_JSON_OBJECT;
}

/* External ids are objects in the records of samples. */
static gboolean
read_correlation (const TtJsonValue *value, TtRocprofRecord *record)
{
  if (value->kind != TT_JSON_OBJECT)
    return FALSE;
  TtJsonValue internal = tt_json_get (value->raw, "internal"), external = tt_json_get (value->raw, "external"),
              ancestor = tt_json_get (value->raw, "ancestor");
  tt_json_uint64 (&internal, &record->correlation);
  tt_json_uint64 (&external, &record->external);
  tt_json_uint64 (&ancestor, &record->ancestor);
  return TRUE;
}

static void take_members (const TtJsonValue *object, const Field *known, guint n, TtRocprofRecord *record);

static void
take_field (const Field *field, const TtJsonValue *value, TtRocprofRecord *record)
{
  gpointer to = (char *) record + field->at;
  gboolean is_good = TRUE;

  switch (field->form)
    {
    case FORM_NUMBER:
      is_good = tt_json_uint64 (value, to);
      break;
    case FORM_HANDLE:
      is_good = read_handle (value, to);
      break;
    case FORM_TRIPLE:
      is_good = read_triple (value, to);
      break;
    case FORM_TIME:
      is_good = tt_json_int64 (value, to);
      break;
    case FORM_OPERATION:
      is_good = tt_json_uint64 (value, to);
      if (!is_good && value->kind == TT_JSON_STRING)
        record->operation_name = *value;
      break;
    case FORM_CORRELATION:
      is_good = read_correlation (value, record);
      break;
    case FORM_DISPATCH:
      is_good = value->kind == TT_JSON_OBJECT;
      if (is_good)
        take_members (value, dispatch_fields, G_N_ELEMENTS (dispatch_fields), record);
      break;
    case FORM_VALUE:
    default:
      *(TtJsonValue *) to = *value;
    }
  if (is_good)
    record->has |= field->has;
}

static void
take_member (const Field *known, guint n, const TtJsonValue *key, const TtJsonValue *value, TtRocprofRecord *record)
{
  for (guint i = 0; i < n; i++)
    if (tt_slice_is (key->raw, known[i].key, known[i].len))
      {
        take_field (&known[i], value, record);
        return;
      }
}

static void
take_members (const TtJsonValue *object, const Field *known, guint n, TtRocprofRecord *record)
{
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (object->raw, &cursor, &key, &value))
    take_member (known, n, &key, &value, record);
}

static void
join_bits (TtRocprofRecord *record)
{
  if ((record->has & HAS_START) != 0 && (record->has & HAS_END) != 0)
    record->has |= TT_ROCPROF_HAS_TIMES;
  if ((record->has & HAS_KIND) == 0)
    record->has &= ~(guint32) TT_ROCPROF_HAS_OPERATION;
}

void
tt_rocprof_record_read (TtJson *json, const TtJsonValue *object, TtRocprofRecord *record)
{
  TtJsonValue key, value;

  memset (record, 0, sizeof *record);
  record->offset = object->offset;
  while (tt_json_next_member (json, &key, &value))
    take_member (fields, G_N_ELEMENTS (fields), &key, &value, record);
  join_bits (record);
}

void
tt_rocprof_record_parse (const TtJsonValue *object, TtRocprofRecord *record)
{
  memset (record, 0, sizeof *record);
  record->offset = object->offset;
  take_members (object, fields, G_N_ELEMENTS (fields), record);
  join_bits (record);
}

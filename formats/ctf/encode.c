/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* A build without the library still has declarations here: ISO C wants some. */
#include <glib.h>

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/decode-private.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 16
#define MAX_ELEMENTS 4096
#define MAX_TEXT_BYTES ((gsize) 1 << 16)
#define MAX_JSON_BYTES ((gsize) 1 << 20)

/* A member as it is encoded. */
typedef struct
{
  TtCtfScope scope;
  guint64 index; /* within its scope */
  TtCtfValueKind kind;
} Member;

typedef struct
{
  guint32 id;
  GArray *members; /* of Member */
} Class;

struct _TtCtfEncoder
{
  GHashTable *classes; /* bt_event_class -> Class */
  const bt_event_class *last_class;
  const Class *last;
  GString *tail;
};

static gboolean
is_a (bt_field_class_type type, bt_field_class_type parent)
{
  return bt_field_class_type_is (type, parent);
}

static gboolean
is_hex (const bt_field_class *klass)
{
  return bt_field_class_integer_get_preferred_display_base (klass) ==
         BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
}

/* -- JSON ------------------------------------------------------------------------------------------------------ */

static void append_field (GString *json, const bt_field *field, guint depth);

static void
append_integer (GString *json, const bt_field *field, gboolean is_signed)
{
  gboolean in_hex = is_hex (bt_field_borrow_class_const (field));
  char digits[32];

  if (is_signed)
    g_snprintf (digits, sizeof digits, in_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GINT64_FORMAT,
                bt_field_integer_signed_get_value (field));
  else
    g_snprintf (digits, sizeof digits, in_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GUINT64_FORMAT,
                bt_field_integer_unsigned_get_value (field));
  g_string_append (json, digits);
}

static void
append_real (GString *json, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, isfinite (value) ? g_ascii_dtostr (digits, sizeof digits, value) : "null");
}

static void
append_array (GString *json, const bt_field *field, guint depth)
{
  guint64 n = MIN (bt_field_array_get_length (field), MAX_ELEMENTS);

  g_string_append_c (json, '[');
  for (guint64 i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_field (json, bt_field_array_borrow_element_field_by_index_const (field, i), depth + 1);
    }
  g_string_append_c (json, ']');
}

static void
append_structure (GString *json, const bt_field *field, guint depth)
{
  const bt_field_class *klass = bt_field_borrow_class_const (field);
  guint64 n = bt_field_class_structure_get_member_count (klass);

  g_string_append_c (json, '{');
  for (guint64 i = 0; i < n; i++)
    {
      const bt_field_class_structure_member *member = bt_field_class_structure_borrow_member_by_index_const (klass, i);

      g_string_append (json, i > 0 ? "," : "");
      tt_ctf_append_quoted (json, bt_field_class_structure_member_get_name (member), MAX_TEXT_BYTES);
      g_string_append_c (json, ':');
      append_field (json, bt_field_structure_borrow_member_field_by_index_const (field, i), depth + 1);
    }
  g_string_append_c (json, '}');
}

static void
append_field (GString *json, const bt_field *field, guint depth)
{
  bt_field_class_type type = bt_field_get_class_type (field);

  if (depth > MAX_DEPTH || json->len > MAX_JSON_BYTES)
    g_string_append (json, "null");
  else if (is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) || is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    append_integer (json, field, is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
  else if (type == BT_FIELD_CLASS_TYPE_STRING)
    tt_ctf_append_quoted (json, bt_field_string_get_value (field), MAX_TEXT_BYTES);
  else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
    append_real (json, (double) bt_field_real_single_precision_get_value (field));
  else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
    append_real (json, bt_field_real_double_precision_get_value (field));
  else if (type == BT_FIELD_CLASS_TYPE_BOOL)
    g_string_append (json, bt_field_bool_get_value (field) ? "true" : "false");
  else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
    append_structure (json, field, depth);
  else if (is_a (type, BT_FIELD_CLASS_TYPE_ARRAY))
    append_array (json, field, depth);
  else if (is_a (type, BT_FIELD_CLASS_TYPE_VARIANT))
    append_field (json, bt_field_variant_borrow_selected_option_field_const (field), depth + 1);
  else
    g_string_append (json, "null");
}

/* -- classes ------------------------------------------------------------------------------------------------- */

static TtCtfValueKind
choose_kind (bt_field_class_type type)
{
  return is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ? TT_CTF_UNSIGNED
         : is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ? TT_CTF_SIGNED
         : is_a (type, BT_FIELD_CLASS_TYPE_REAL)           ? TT_CTF_REAL
         : type == BT_FIELD_CLASS_TYPE_STRING              ? TT_CTF_TEXT
                                                           : TT_CTF_OTHER;
}

static const bt_field_class *
scope_class (const bt_event_class *event_class, TtCtfScope scope)
{
  const bt_stream_class *stream_class = bt_event_class_borrow_stream_class_const (event_class);

  switch (scope)
    {
    case TT_CTF_PACKET:
      return bt_stream_class_supports_packets (stream_class)
                 ? bt_stream_class_borrow_packet_context_field_class_const (stream_class)
                 : NULL;
    case TT_CTF_COMMON:
      return bt_stream_class_borrow_event_common_context_field_class_const (stream_class);
    case TT_CTF_SPECIFIC:
      return bt_event_class_borrow_specific_context_field_class_const (event_class);
    default:
      return bt_event_class_borrow_payload_field_class_const (event_class);
    }
}

static guint64
count_members (const bt_field_class *structure)
{
  return structure == NULL || bt_field_class_get_type (structure) != BT_FIELD_CLASS_TYPE_STRUCTURE
             ? 0
             : bt_field_class_structure_get_member_count (structure);
}

static void
write_member (TtCtfWriter *out, TtCtfScope scope, const bt_field_class *structure, guint64 i, Member *member)
{
  const bt_field_class_structure_member *of = bt_field_class_structure_borrow_member_by_index_const (structure, i);
  const bt_field_class *value = bt_field_class_structure_member_borrow_field_class_const (of);

  *member = (Member){ .scope = scope, .index = i, .kind = choose_kind (bt_field_class_get_type (value)) };
  tt_ctf_write_u32 (out, scope);
  tt_ctf_write_u32 (out, member->kind);
  tt_ctf_write_u32 (out, member->kind <= TT_CTF_SIGNED && is_hex (value));
  tt_ctf_write_text (out, bt_field_class_structure_member_get_name (of));
}

static Class *
write_class (TtCtfEncoder *self, TtCtfWriter *out, const bt_event_class *event_class)
{
  Class *klass = g_new0 (Class, 1);
  const char *name = bt_event_class_get_name (event_class);
  g_autofree char *made = name != NULL
                              ? g_utf8_make_valid (name, -1)
                              : g_strdup_printf ("event %" G_GUINT64_FORMAT, bt_event_class_get_id (event_class));
  guint64 n = 0;
  Member member;

  klass->id = g_hash_table_size (self->classes);
  klass->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_hash_table_insert (self->classes, (gpointer) event_class, klass);
  for (guint scope = 0; scope < TT_CTF_N_SCOPES; scope++)
    n += count_members (scope_class (event_class, (TtCtfScope) scope));
  tt_ctf_frame_begin (out, TT_CTF_FRAME_CLASS);
  tt_ctf_write_u32 (out, (guint32) n);
  tt_ctf_write_text (out, made);
  for (guint scope = 0; scope < TT_CTF_N_SCOPES; scope++)
    {
      const bt_field_class *structure = scope_class (event_class, (TtCtfScope) scope);
      guint64 n_of = count_members (structure);
      for (guint64 i = 0; i < n_of; i++)
        {
          write_member (out, (TtCtfScope) scope, structure, i, &member);
          g_array_append_val (klass->members, member);
        }
    }
  tt_ctf_frame_end (out);
  return klass;
}

/* -- events -------------------------------------------------------------------------------------------------- */

static void
write_value (TtCtfEncoder *self, TtCtfWriter *out, const Member *member, const bt_field *field)
{
  bt_field_class_type type = bt_field_get_class_type (field);
  guint32 place[2] = { (guint32) self->tail->len, 0 };
  double real;
  gint64 bits;

  switch (member->kind)
    {
    case TT_CTF_UNSIGNED:
      tt_ctf_write_i64 (out, (gint64) bt_field_integer_unsigned_get_value (field));
      return;
    case TT_CTF_SIGNED:
      tt_ctf_write_i64 (out, bt_field_integer_signed_get_value (field));
      return;
    case TT_CTF_REAL:
      real = type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL
                 ? (double) bt_field_real_single_precision_get_value (field)
                 : bt_field_real_double_precision_get_value (field);
      memcpy (&bits, &real, sizeof bits);
      tt_ctf_write_i64 (out, bits);
      return;
    case TT_CTF_TEXT:
      g_string_append_len (self->tail, bt_field_string_get_value (field),
                           (gssize) MIN (bt_field_string_get_length (field), MAX_TEXT_BYTES));
      break;
    case TT_CTF_OTHER:
      append_field (self->tail, field, 0);
      break;
    }
  place[1] = (guint32) self->tail->len - place[0];
  g_string_append_c (self->tail, '\0');
  memcpy (&bits, place, sizeof bits);
  tt_ctf_write_i64 (out, bits);
}

static const bt_field *
scope_field (const bt_event *event, TtCtfScope scope)
{
  switch (scope)
    {
    case TT_CTF_PACKET:
      return bt_packet_borrow_context_field_const (bt_event_borrow_packet_const (event));
    case TT_CTF_COMMON:
      return bt_event_borrow_common_context_field_const (event);
    case TT_CTF_SPECIFIC:
      return bt_event_borrow_specific_context_field_const (event);
    default:
      return bt_event_borrow_payload_field_const (event);
    }
}

void
tt_ctf_encode_event (TtCtfEncoder *self, TtCtfWriter *out, const bt_event *event, guint stream, gint64 ts_ns)
{
  const bt_event_class *event_class = bt_event_borrow_class_const (event);
  const bt_field *scope = NULL;
  int last_scope = -1;

  if (event_class != self->last_class)
    {
      const Class *known = g_hash_table_lookup (self->classes, event_class);
      self->last = known != NULL ? known : write_class (self, out, event_class);
      self->last_class = event_class;
    }
  g_string_truncate (self->tail, 0);
  tt_ctf_frame_begin (out, TT_CTF_FRAME_EVENT);
  tt_ctf_write_u32 (out, self->last->id);
  tt_ctf_write_u32 (out, stream);
  tt_ctf_write_i64 (out, ts_ns);
  for (guint i = 0; i < self->last->members->len; i++)
    {
      const Member *member = &g_array_index (self->last->members, Member, i);
      if ((int) member->scope != last_scope)
        scope = scope_field (event, member->scope);
      last_scope = (int) member->scope;
      write_value (self, out, member, bt_field_structure_borrow_member_field_by_index_const (scope, member->index));
    }
  g_byte_array_append (out->bytes, (const guint8 *) self->tail->str, (guint) self->tail->len);
  tt_ctf_frame_end (out);
}

static void
free_class (gpointer data)
{
  Class *klass = data;

  g_array_unref (klass->members);
  g_free (klass);
}

TtCtfEncoder *
tt_ctf_encoder_new (void)
{
  TtCtfEncoder *self = g_new0 (TtCtfEncoder, 1);

  self->classes = g_hash_table_new_full (NULL, NULL, NULL, free_class);
  self->tail = g_string_new (NULL);
  return self;
}

void
tt_ctf_encoder_free (TtCtfEncoder *self)
{
  g_hash_table_unref (self->classes);
  g_string_free (self->tail, TRUE);
  g_free (self);
}

#endif

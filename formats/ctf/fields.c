#include "config.h"

#include "formats/ctf/event.h"

#include <math.h>
#include <string.h>

const TtCtfMember *
tt_ctf_scope_member (const TtCtfClass *klass, TtCtfScope scope, const char *name)
{
  for (guint i = 0; i < klass->members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (klass->members, TtCtfMember, i);
      if (member->scope == scope && strcmp (member->name, name) == 0)
        return member;
    }
  return NULL;
}

const TtCtfMember *
tt_ctf_member (const TtCtfClass *klass, const char *name)
{
  const TtCtfMember *found = NULL;

  for (int scope = TT_CTF_PAYLOAD; found == NULL && scope >= 0; scope--)
    found = tt_ctf_scope_member (klass, (TtCtfScope) scope, name);
  return found;
}

gboolean
tt_ctf_class_has_sibling (const TtCtfClass *klass, const char *name)
{
  return g_hash_table_contains (klass->names, name);
}

void
tt_ctf_append_quoted (GString *json, const char *text, gsize most)
{
  gsize len = strnlen (text, most);
  const char *stop;

  g_string_append_c (json, '"');
  while (len > 0)
    {
      gboolean is_valid = g_utf8_validate_len (text, len, &stop);

      for (const char *p = text; p < stop; p++)
        if (*p == '"' || *p == '\\')
          g_string_append_printf (json, "\\%c", *p);
        else if ((guchar) *p < 0x20)
          g_string_append_printf (json, "\\u%04x", (guint) *p);
        else
          g_string_append_c (json, *p);
      if (is_valid)
        break;
      g_string_append (json, "\xef\xbf\xbd");
      len -= (gsize) (stop - text) + 1;
      text = stop + 1;
    }
  g_string_append_c (json, '"');
}

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/babeltrace.h"

#define DEEPEST 16
#define MOST_ELEMENTS 4096
#define LONGEST_TEXT ((gsize) 1 << 16)

/* -- classes ------------------------------------------------------------------------------------------------- */

static gboolean
is_a (bt_field_class_type type, bt_field_class_type parent)
{
  return bt_field_class_type_is (type, parent);
}

static void
list_members (TtCtfClass *klass, TtCtfScope scope, const bt_field_class *structure)
{
  if (structure == NULL || bt_field_class_get_type (structure) != BT_FIELD_CLASS_TYPE_STRUCTURE)
    return;

  guint64 n = bt_field_class_structure_get_member_count (structure);
  for (guint64 i = 0; i < n; i++)
    {
      const bt_field_class_structure_member *of = bt_field_class_structure_borrow_member_by_index_const (structure, i);
      const bt_field_class *value = bt_field_class_structure_member_borrow_field_class_const (of);
      bt_field_class_type type = bt_field_class_get_type (value);
      TtCtfMember member = { .name = bt_field_class_structure_member_get_name (of),
                             .scope = scope,
                             .index = (guint) i,
                             .kind = is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ? TT_CTF_UNSIGNED
                                     : is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ? TT_CTF_SIGNED
                                     : is_a (type, BT_FIELD_CLASS_TYPE_REAL)           ? TT_CTF_REAL
                                     : type == BT_FIELD_CLASS_TYPE_STRING              ? TT_CTF_TEXT
                                                                                       : TT_CTF_OTHER };
      member.is_hex = member.kind <= TT_CTF_SIGNED && bt_field_class_integer_get_preferred_display_base (value) ==
                                                          BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
      g_array_append_val (klass->members, member);
    }
}

TtCtfClass *
tt_ctf_class_new (const bt_event_class *event_class, GHashTable *names)
{
  const bt_stream_class *stream_class = bt_event_class_borrow_stream_class_const (event_class);
  const char *name = bt_event_class_get_name (event_class);
  TtCtfClass *self = g_new0 (TtCtfClass, 1);

  self->name = name != NULL ? g_utf8_make_valid (name, -1)
                            : g_strdup_printf ("event %" G_GUINT64_FORMAT, bt_event_class_get_id (event_class));
  self->members = g_array_new (FALSE, FALSE, sizeof (TtCtfMember));
  self->names = names;
  if (bt_stream_class_supports_packets (stream_class))
    list_members (self, TT_CTF_PACKET, bt_stream_class_borrow_packet_context_field_class_const (stream_class));
  list_members (self, TT_CTF_COMMON, bt_stream_class_borrow_event_common_context_field_class_const (stream_class));
  list_members (self, TT_CTF_SPECIFIC, bt_event_class_borrow_specific_context_field_class_const (event_class));
  list_members (self, TT_CTF_PAYLOAD, bt_event_class_borrow_payload_field_class_const (event_class));
  return self;
}

void
tt_ctf_class_free (gpointer klass)
{
  TtCtfClass *self = klass;

  if (self->free_plan != NULL)
    self->free_plan (self->plan);
  g_array_unref (self->members);
  g_free (self->name);
  g_free (self);
}

/* -- values --------------------------------------------------------------------------------------------------- */

static const bt_field *
field_of (const TtCtfEvent *event, const TtCtfMember *member)
{
  const bt_field *scope = member == NULL ? NULL : event->scopes[member->scope];

  return scope == NULL ? NULL : bt_field_structure_borrow_member_field_by_index_const (scope, member->index);
}

static gboolean
integer_of (const bt_field *field, gint64 *value)
{
  bt_field_class_type type = bt_field_get_class_type (field);

  if (is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
    *value = (gint64) bt_field_integer_unsigned_get_value (field);
  else if (is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    *value = bt_field_integer_signed_get_value (field);
  else
    return FALSE;
  return TRUE;
}

gboolean
tt_ctf_integer (const TtCtfEvent *event, const TtCtfMember *member, gint64 *value)
{
  const bt_field *field = field_of (event, member);

  return field != NULL && integer_of (field, value);
}

const char *
tt_ctf_text (const TtCtfEvent *event, const TtCtfMember *member)
{
  const bt_field *field = member == NULL || member->kind != TT_CTF_TEXT ? NULL : field_of (event, member);

  return field == NULL ? NULL : bt_field_string_get_value (field);
}

gboolean
tt_ctf_element (const TtCtfEvent *event, const TtCtfMember *member, guint k, gint64 *value)
{
  const bt_field *field = field_of (event, member);

  if (field == NULL || !is_a (bt_field_get_class_type (field), BT_FIELD_CLASS_TYPE_ARRAY) ||
      k >= bt_field_array_get_length (field))
    return FALSE;
  return integer_of (bt_field_array_borrow_element_field_by_index_const (field, k), value);
}

/* -- JSON ------------------------------------------------------------------------------------------------------ */

static void append_field (GString *json, const bt_field *field, guint depth);

static void
append_integer (GString *json, const bt_field *field, gboolean is_signed)
{
  gboolean is_hex = bt_field_class_integer_get_preferred_display_base (bt_field_borrow_class_const (field)) ==
                    BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;
  char digits[32];

  if (is_signed)
    g_snprintf (digits, sizeof digits, is_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GINT64_FORMAT,
                bt_field_integer_signed_get_value (field));
  else
    g_snprintf (digits, sizeof digits, is_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GUINT64_FORMAT,
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
  guint64 n = MIN (bt_field_array_get_length (field), MOST_ELEMENTS);

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
      tt_ctf_append_quoted (json, bt_field_class_structure_member_get_name (member), LONGEST_TEXT);
      g_string_append_c (json, ':');
      append_field (json, bt_field_structure_borrow_member_field_by_index_const (field, i), depth + 1);
    }
  g_string_append_c (json, '}');
}

static void
append_field (GString *json, const bt_field *field, guint depth)
{
  bt_field_class_type type = bt_field_get_class_type (field);

  if (depth > DEEPEST)
    g_string_append (json, "null");
  else if (is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) || is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    append_integer (json, field, is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
  else if (type == BT_FIELD_CLASS_TYPE_STRING)
    tt_ctf_append_quoted (json, bt_field_string_get_value (field), LONGEST_TEXT);
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

void
tt_ctf_append_json (const TtCtfEvent *event, const TtCtfMember *member, GString *json)
{
  const bt_field *field = field_of (event, member);

  if (field == NULL)
    g_string_append (json, "null");
  else
    append_field (json, field, 0);
}

#else

gboolean
tt_ctf_integer (const TtCtfEvent *event, const TtCtfMember *member, gint64 *value)
{
  return FALSE;
}

const char *
tt_ctf_text (const TtCtfEvent *event, const TtCtfMember *member)
{
  return NULL;
}

gboolean
tt_ctf_element (const TtCtfEvent *event, const TtCtfMember *member, guint k, gint64 *value)
{
  return FALSE;
}

void
tt_ctf_append_json (const TtCtfEvent *event, const TtCtfMember *member, GString *json)
{
  g_string_append (json, "null");
}

#endif

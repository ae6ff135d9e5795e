/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Pointees and answers of queries as text: pi.md 10.4. */
#include "formats/pi/print/value-private.h"

#include <string.h>

#define WORD 8

/* -- what queries answer ----------------------------------------------------------------------------------- */

/* NULL: no query of UR, or not known. */
static const char *
ur_answer (const TtPiCall *call)
{
  for (guint p = 0; call->function->api == TT_PI_API_UR && p < call->n_args && p < call->function->n_params; p++)
    {
      const TtPiParam *param = &call->function->params[p];
      const char *answer =
          param->kind == TT_PI_KIND_ENUM ? tt_pi_enum_answer (param->type, call->args[p].value, call->release) : NULL;
      if (answer != NULL)
        return answer;
    }
  return NULL;
}

static void
append_array_or_one (GString *to, const TtPiBytes *bytes, const TtPiItems *items, gboolean is_array, gsize limit)
{
  if (is_array)
    tt_pi_append_array (to, bytes, items, limit);
  else if (bytes->len >= items->size)
    items->append (to, items->type, tt_pi_read_number (bytes->bytes, items->size), items->handles);
}

typedef enum
{
  SHAPE_TEXT,
  SHAPE_SIZES,
  SHAPE_HANDLE,
  SHAPE_HANDLES,
  SHAPE_FLAGS,
  SHAPE_ENUM,
  SHAPE_BOOL,
  SHAPE_POINTER,
} Shape;

typedef struct
{
  const char *type;
  guint32 first, last;
  Shape shape;
  const char *of;
} Answer;

/* pi.md 10.4; what is not here is a number. */
static const Answer answers[] = {
  { "platform_info", 0x900, 0x904, SHAPE_TEXT, NULL },
  { "device_info", 0x1000, 0x1000, SHAPE_FLAGS, "device_type" },
  { "device_info", 0x1005, 0x1005, SHAPE_SIZES, NULL },
  { "device_info", 0x1016, 0x1016, SHAPE_BOOL, NULL },
  { "device_info", 0x1027, 0x1027, SHAPE_BOOL, NULL },
  { "device_info", 0x102a, 0x102a, SHAPE_FLAGS, "queue_properties" },
  { "device_info", 0x102b, 0x1030, SHAPE_TEXT, NULL },
  { "device_info", 0x1031, 0x1031, SHAPE_HANDLE, "platform" },
  { "device_info", 0x1035, 0x1035, SHAPE_BOOL, NULL },
  { "device_info", 0x1042, 0x1042, SHAPE_HANDLE, "device" },
  { "device_info", 0x105b, 0x105b, SHAPE_TEXT, NULL },
  { "device_info", 0x4108, 0x4108, SHAPE_SIZES, NULL },
  { "device_info", 0x10020, 0x10020, SHAPE_TEXT, NULL },
  { "context_info", 0x1081, 0x1081, SHAPE_HANDLES, "device" },
  { "queue_info", 0x1090, 0x1090, SHAPE_HANDLE, "context" },
  { "queue_info", 0x1091, 0x1091, SHAPE_HANDLE, "device" },
  { "queue_info", 0x1093, 0x1093, SHAPE_FLAGS, "queue_properties" },
  { "mem_info", 0x1101, 0x1101, SHAPE_FLAGS, "mem_flags" },
  { "mem_info", 0x1103, 0x1103, SHAPE_POINTER, NULL },
  { "mem_info", 0x1106, 0x1106, SHAPE_HANDLE, "context" },
  { "program_info", 0x1161, 0x1161, SHAPE_HANDLE, "context" },
  { "program_info", 0x1163, 0x1163, SHAPE_HANDLES, "device" },
  { "program_info", 0x1164, 0x1164, SHAPE_TEXT, NULL },
  { "program_info", 0x1165, 0x1165, SHAPE_SIZES, NULL },
  { "program_info", 0x1168, 0x1168, SHAPE_TEXT, NULL },
  { "program_build_info", 0x1182, 0x1183, SHAPE_TEXT, NULL },
  { "kernel_info", 0x1190, 0x1190, SHAPE_TEXT, NULL },
  { "kernel_info", 0x1193, 0x1193, SHAPE_HANDLE, "context" },
  { "kernel_info", 0x1194, 0x1194, SHAPE_HANDLE, "program" },
  { "kernel_info", 0x1195, 0x1195, SHAPE_TEXT, NULL },
  { "kernel_group_info", 0x11b1, 0x11b1, SHAPE_SIZES, NULL },
  { "kernel_group_info", 0x11b5, 0x11b5, SHAPE_SIZES, NULL },
  { "event_info", 0x11d0, 0x11d0, SHAPE_HANDLE, "queue" },
  { "event_info", 0x11d4, 0x11d4, SHAPE_HANDLE, "context" },
  { "usm_mem_info", 0x419a, 0x419a, SHAPE_ENUM, "usm_type" },
  { "usm_mem_info", 0x419b, 0x419b, SHAPE_POINTER, NULL },
  { "usm_mem_info", 0x419d, 0x419d, SHAPE_HANDLE, "device" },
};

/* What a query of UR answers, by the word that the header has for it. */
static gboolean
append_ur_answer (GString *to, const TtPiCall *call, const TtPiBytes *bytes, const TtPiHandles *handles, gsize limit)
{
  const char *answer = ur_answer (call);
  TtPiParam param = { .kind = TT_PI_KIND_UINT, .role = TT_PI_ROLE_OUT_VALUE, .size = WORD, .count = -1 };

  if (answer == NULL)
    return FALSE;
  g_autofree char *type = g_strndup (answer, strcspn (answer, "[ "));
  gboolean is_array = g_str_has_suffix (answer, "[]");
  if (g_str_equal (type, "char"))
    {
      tt_pi_append_text (to, bytes, limit);
      return TRUE;
    }
  if (g_str_has_suffix (type, "_handle"))
    {
      const char *object = type + (g_str_has_prefix (type, "ur_exp_") ? 7 : 3);
      type[strlen (type) - strlen ("_handle")] = '\0';
      append_array_or_one (to, bytes, &(TtPiItems){ WORD, tt_pi_append_handle_value, object, handles }, is_array,
                           limit);
      return TRUE;
    }
  if (g_str_equal (type, "size") && is_array)
    {
      tt_pi_append_array (to, bytes, &(TtPiItems){ WORD, tt_pi_append_size_value, NULL, NULL }, limit);
      return TRUE;
    }
  param.type = type;
  if (is_array)
    param.role = TT_PI_ROLE_OUT_ARRAY;
  if (tt_pi_append_struct (to, call, &param, bytes, handles, limit))
    return TRUE;
  if (is_array || bytes->len == 0 || bytes->len > WORD)
    return FALSE;
  if (g_str_equal (type, "bool") || g_str_equal (type, "ur_bool"))
    tt_pi_append_bool (to, tt_pi_read_number (bytes->bytes, bytes->len));
  else if (g_str_has_suffix (type, "_flags"))
    tt_pi_append_flags (to, type, tt_pi_read_number (bytes->bytes, bytes->len), call->release);
  else if (g_str_has_prefix (type, "ur_"))
    tt_pi_append_enum (to, type, tt_pi_read_number (bytes->bytes, bytes->len), call->release);
  else
    return FALSE;
  return TRUE;
}

/* What the call asks for; NULL: a number, or not known. */
static const Answer *
find_answer (const TtPiCall *call)
{
  for (guint p = 0; p < call->n_args && p < call->function->n_params; p++)
    {
      const TtPiParam *param = &call->function->params[p];

      if (param->kind == TT_PI_KIND_ENUM && strstr (param->type, "info") != NULL)
        for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
          if (call->args[p].value >= answers[i].first && call->args[p].value <= answers[i].last &&
              g_str_equal (answers[i].type, param->type))
            return &answers[i];
    }
  return NULL;
}

static void
append_answer (GString *to, const Answer *answer, const TtPiBytes *bytes, const TtPiHandles *handles, gsize limit)
{
  guint64 number = bytes->len > WORD ? 0 : tt_pi_read_number (bytes->bytes, bytes->len);

  if (answer->shape == SHAPE_TEXT)
    tt_pi_append_text (to, bytes, limit);
  else if (answer->shape == SHAPE_SIZES)
    tt_pi_append_array (to, bytes, &(TtPiItems){ WORD, tt_pi_append_size_value, NULL, NULL }, limit);
  else if (answer->shape == SHAPE_HANDLES)
    tt_pi_append_array (to, bytes, &(TtPiItems){ WORD, tt_pi_append_handle_value, answer->of, handles }, limit);
  else if (bytes->len > WORD)
    tt_pi_append_dump (to, bytes, limit);
  else if (answer->shape == SHAPE_HANDLE)
    tt_pi_append_handle_value (to, answer->of, number, handles);
  else if (answer->shape == SHAPE_FLAGS)
    tt_pi_append_flags (to, answer->of, number, 0);
  else if (answer->shape == SHAPE_ENUM)
    tt_pi_append_enum (to, answer->of, number, 0);
  else if (answer->shape == SHAPE_BOOL)
    tt_pi_append_bool (to, number);
  else
    tt_pi_append_pointer (to, number);
}

gboolean
tt_pi_output_is_text (const TtPiCall *call, guint index, const TtPiBytes *bytes)
{
  const Answer *answer;

  if (call->function->params[index].role != TT_PI_ROLE_OUT_BYTES || bytes->len == 0)
    return FALSE;
  if (ur_answer (call) != NULL)
    return g_str_has_prefix (ur_answer (call), "char[");
  answer = find_answer (call);
  return answer != NULL ? answer->shape == SHAPE_TEXT
                        : !tt_pi_bytes_are_number (bytes) && tt_pi_bytes_look_like_text (bytes);
}

gboolean
tt_pi_output_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  TtPiBytes bytes;

  if (call->result != 0 || !tt_pi_output_find (call, index, &bytes))
    return FALSE;

  const TtPiParam *param = &call->function->params[index];
  const Answer *answer = param->role == TT_PI_ROLE_OUT_BYTES ? find_answer (call) : NULL;
  if (param->role == TT_PI_ROLE_OUT_HANDLE || param->role == TT_PI_ROLE_OUT_EVENT)
    return FALSE; /* it has a name */
  if (param->role == TT_PI_ROLE_OUT_BYTES && append_ur_answer (to, call, &bytes, handles, limit))
    return TRUE;
  if (answer != NULL && bytes.len > 0)
    append_answer (to, answer, &bytes, handles, limit);
  else if (param->role == TT_PI_ROLE_OUT_BYTES)
    tt_pi_append_unknown (to, &bytes, limit);
  else
    tt_pi_append_pointed (to, call, param, &bytes, handles, limit);
  return TRUE;
}

gboolean
tt_pi_input_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  if (call->function == NULL || call->function->params == NULL || index >= call->function->n_params ||
      call->args[index].before.bytes == NULL || call->args[index].text != NULL)
    return FALSE;

  const TtPiParam *param = &call->function->params[index];
  gboolean is_input = param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_IN_BYTES ||
                      param->role == TT_PI_ROLE_IN_VALUE || param->role == TT_PI_ROLE_WORK_SIZE;
  if (!is_input)
    return FALSE;
  if (param->role == TT_PI_ROLE_IN_BYTES)
    tt_pi_append_unknown (to, &call->args[index].before, limit);
  else
    tt_pi_append_pointed (to, call, param, &call->args[index].before, handles, limit);
  return TRUE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Arguments and results of a call as text. */
#include "formats/pi/print/value-private.h"

#include <string.h>

#define WORD 8

/* -- arguments ------------------------------------------------------------------------------------------------ */

/* Without a table only the file's tag says what it is. */
static void
append_by_tag (GString *to, const TtPiArg *arg)
{
  if (arg->tag == TT_PI_TAG_POINTER)
    tt_pi_append_pointer (to, arg->value);
  else
    tt_pi_append_uint (to, arg->value);
}

void
tt_pi_arg_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  const TtPiArg *arg = &call->args[index];
  const TtPiFunction *function = call->function;
  const TtPiHandle *handle = handles == NULL ? NULL : tt_pi_handles_arg (handles, index);

  if (arg->text != NULL)
    {
      const TtPiBytes bytes = { (const guint8 *) arg->text, arg->text_len, arg->text_len };
      tt_pi_append_text (to, &bytes, limit);
    }
  else if (function == NULL || function->params == NULL || index >= function->n_params)
    append_by_tag (to, arg);
  else if (function->params[index].size > WORD && arg->before.bytes != NULL)
    tt_pi_append_pointed (to, call, &function->params[index], &arg->before, handles, limit);
  else if (handle != NULL && function->params[index].kind == TT_PI_KIND_HANDLE)
    tt_pi_handle_append (to, handle);
  else
    tt_pi_append_by_kind (to, &function->params[index], arg->value, call->release);
}

/* -- results --------------------------------------------------------------------------------------------------- */

void
tt_pi_result_append (GString *to, const TtPiCall *call)
{
  TtPiApi api = call->function == NULL ? TT_PI_API_PI : (TtPiApi) call->function->api;
  const char *name = tt_pi_result_name (api, call->result, call->release);

  if (name == NULL || call->result == 0)
    {
      g_string_append (to, name != NULL ? name : "");
      if (name == NULL)
        tt_pi_append_int (to, call->result);
      return;
    }
  g_string_append (to, name);
  g_string_append (to, " (");
  tt_pi_append_int (to, call->result);
  g_string_append_c (to, ')');
}

gboolean
tt_pi_call_failed (const TtPiCall *call)
{
  return call->result != 0 && !(call->flags & TT_PI_CALL_IN_PROGRESS) &&
         !tt_pi_result_is_probing (call->function, call->result, call->release);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/* -- repairs -------------------------------------------------------------------------------------- */

void
tt_json_pend (TtJson *self, TtRepairKind kind, const guint8 *at)
{
  tt_repairs_add (&self->pending, kind, tt_json_offset_of (self, (gsize) (at - self->bytes)));
  self->has_pending = TRUE;
  self->is_inner_lost = TRUE;
}

void
tt_json_forget (TtJson *self)
{
  if (self->has_pending)
    memset (&self->pending, 0, sizeof self->pending);
  self->has_pending = FALSE;
}

void
tt_json_settle (TtJson *self)
{
  if (self->has_pending)
    tt_repairs_merge (self->repairs, &self->pending);
  tt_json_forget (self);
}

/* -- what fits in no better ----------------------------------------------------------------------- */

static const guint8 *
mend_key (TtJson *self, const guint8 *at)
{
  gboolean is_first = self->state == TT_STATE_FIRST_KEY;

  if (*at == '}')
    {
      if (!is_first)
        tt_json_pend (self, TT_REPAIR_JSON_COMMA, at);
      tt_json_close (self);
      return at + 1;
    }
  if (*at == ',')
    {
      tt_json_pend (self, TT_REPAIR_JSON_COMMA, at);
      return at + 1;
    }
  return tt_json_stop (self, TT_WALK_FAULT, "a key in quotes or '}'");
}

static const guint8 *
mend_item (TtJson *self, const guint8 *at)
{
  gboolean is_first = self->state == TT_STATE_FIRST_ITEM;

  if (*at == ']')
    {
      if (!is_first)
        tt_json_pend (self, TT_REPAIR_JSON_COMMA, at);
      tt_json_close (self);
      return at + 1;
    }
  if (*at == ',')
    {
      tt_json_pend (self, TT_REPAIR_JSON_COMMA, at);
      return at + 1;
    }
  return tt_json_stop (self, TT_WALK_FAULT, "a value or ']'");
}

static const guint8 *
mend_next (TtJson *self, const guint8 *at)
{
  gboolean is_object = tt_json_in_object (self);

  if (*at == '"' || (!is_object && (*at == '{' || *at == '[' || tt_is_json_word (*at))))
    {
      tt_json_pend (self, TT_REPAIR_JSON_COMMA, at);
      self->state = is_object ? TT_STATE_KEY : TT_STATE_ITEM;
      return at;
    }
  return tt_json_stop (self, TT_WALK_FAULT, is_object ? "',' or '}'" : "',' or ']'");
}

const guint8 *
tt_json_mend (TtJson *self, const guint8 *at)
{
  if (at >= self->bytes + self->filled)
    return tt_json_stop (self, TT_WALK_MORE, NULL);
  if (tt_is_odd_space (*at))
    {
      tt_json_pend (self, TT_REPAIR_JSON_SPACE, at);
      return at + 1;
    }

  switch (self->state)
    {
    case TT_STATE_FIRST_KEY:
    case TT_STATE_KEY:
      return mend_key (self, at);
    case TT_STATE_FIRST_ITEM:
    case TT_STATE_ITEM:
      return mend_item (self, at);
    case TT_STATE_NEXT:
      return mend_next (self, at);
    case TT_STATE_COLON:
      return tt_json_stop (self, TT_WALK_FAULT, "':'");
    case TT_STATE_VALUE:
    default:
      return tt_json_stop (self, TT_WALK_FAULT, "a value");
    }
}

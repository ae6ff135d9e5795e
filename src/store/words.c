/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/words.h"

#include "src/trace/activity.h"
#include "src/trace/event.h"

const char *
tt_word_of_flags (gint64 id)
{
  return id > 0 && id < 1 << TT_SCHEMA_SHAPE_BITS ? tt_flags_text ((guint32) id) : NULL;
}

const char *
tt_word_of_message_flags (gint64 id)
{
  static const char *const words[TT_MESSAGE_FLAGS] = {
    NULL,        "onesided",           "recv_before_send",           "onesided,recv_before_send",
    "unmatched", "onesided,unmatched", "recv_before_send,unmatched", "onesided,recv_before_send,unmatched",
  };

  return id >= 0 && id < TT_MESSAGE_FLAGS ? words[id] : NULL;
}

const char *
tt_word_of_role (gint64 id)
{
  return id > TT_ACTIVITY_NONE && id < TT_N_ACTIVITY_ROLES ? tt_activity_role_text ((TtActivityRole) id) : NULL;
}

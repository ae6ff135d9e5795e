/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/kept-names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/tau/index.h"

#define BLOCK ((size_t) 64 << 10)

typedef struct
{
  const char *text;
  size_t len;
} Name;

static struct
{
  pthread_mutex_t lock;
  Name *names;
  size_t n, room;
  TtTauIndex by_text;
  char *block; /* where the next text goes */
  size_t n_left;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool
is_name (const void *items, uint32_t item, const void *key)
{
  const Name *name = (const Name *) items + item;
  const TtTauPiece *text = key;

  return name->len == text->len && memcmp (name->text, text->text, text->len) == 0;
}

static bool
grow_names (void)
{
  size_t room = kept.room == 0 ? 256 : 2 * kept.room;
  Name *names = room >= TT_TAU_NO_ITEM ? NULL : realloc (kept.names, room * sizeof *names);

  if (names == NULL)
    return false;
  kept.names = names;
  kept.room = room;
  return true;
}

/* Room for @n bytes, never given back. */
static char *
take_room (size_t n)
{
  if (n > BLOCK / 4)
    return malloc (n);
  if (n > kept.n_left)
    {
      char *block = malloc (BLOCK);
      if (block == NULL)
        return NULL;
      kept.block = block;
      kept.n_left = BLOCK;
    }
  char *room = kept.block;
  kept.block += n;
  kept.n_left -= n;
  return room;
}

static const char *
add_name (const TtTauPiece *name, uint32_t hash)
{
  if (kept.n == kept.room && !grow_names ())
    return NULL;
  char *text = take_room (name->len + 1);
  if (text == NULL)
    return NULL;
  memcpy (text, name->text, name->len);
  text[name->len] = '\0';
  kept.names[kept.n] = (Name){ text, name->len };
  if (!tt_tau_index_add (&kept.by_text, hash, (uint32_t) kept.n))
    return NULL;
  kept.n++;
  return text;
}

const char *
tt_tau_keep_name (TtTauPiece name)
{
  uint32_t hash = tt_tau_hash_text (name.text, name.len);

  pthread_mutex_lock (&kept.lock);
  uint32_t item = tt_tau_index_find (&kept.by_text, hash, is_name, kept.names, &name);
  const char *text = item == TT_TAU_NO_ITEM ? add_name (&name, hash) : kept.names[item].text;
  pthread_mutex_unlock (&kept.lock);
  return text;
}

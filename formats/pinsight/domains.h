/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtConfigDomains: what PInsight can trace, as data: domains (OpenMP, MPI ...), the kinds of execution units
 * ("punits") that they count (thread, rank ...), and their events.
 *
 * The table is data/pinsight-domains.tsv, whose head explains its columns; a second file extends it. Domains,
 * kinds and events are referred to by index. Kinds are numbered over all domains, so that an array indexed by kind
 * holds where something ran. An event's index is its bit in a mask of 64.
 */
#pragma once

#include <glib.h>

#define TT_CONFIG_MOST_EVENTS 64

typedef struct
{
  char *name;
  guint domain;
  guint32 low, high; /* ids that PInsight knows unless the file says otherwise, both included */
} TtConfigKind;

typedef struct
{
  char *name;
  char *group; /* NULL: none */
  gboolean is_installed;
} TtConfigEvent;

typedef struct
{
  char *name;
  GArray *events;        /* of TtConfigEvent, by bit */
  guint64 installed;     /* mask of the installed ones */
  GPtrArray *keys;       /* of char *: keys beside the events */
  const char *mode_text; /* the mode it starts in; interned */
} TtConfigDomain;

typedef struct
{
  GArray *domains; /* of TtConfigDomain */
  GArray *kinds;   /* of TtConfigKind */
} TtConfigDomains;

/* The shipped table, and @extra_path on top; NULL: none. Errors name file and line. */
TtConfigDomains *tt_config_domains_load (const char *extra_path, GError **error);
/* The same of a text, for tests: @name is what errors call it. */
TtConfigDomains *tt_config_domains_parse (const char *text, const char *name, GError **error);
void tt_config_domains_free (TtConfigDomains *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfigDomains, tt_config_domains_free)

static inline const TtConfigDomain *
tt_config_domain (const TtConfigDomains *self, guint domain)
{
  return &g_array_index (self->domains, TtConfigDomain, domain);
}

static inline const TtConfigKind *
tt_config_kind (const TtConfigDomains *self, guint kind)
{
  return &g_array_index (self->kinds, TtConfigKind, kind);
}

static inline const TtConfigEvent *
tt_config_event (const TtConfigDomain *self, guint event)
{
  return &g_array_index (self->events, TtConfigEvent, event);
}

/* Index of the name in @name[0..len); -1: none. Case counts. */
int tt_config_domains_find (const TtConfigDomains *self, const char *name, gsize len);
int tt_config_domains_find_kind (const TtConfigDomains *self, guint domain, const char *name, gsize len);
int tt_config_domain_find_event (const TtConfigDomain *self, const char *name, gsize len);
gboolean tt_config_domain_has_key (const TtConfigDomain *self, const char *name, gsize len);

/* Reads a file of the shipped data, "pinsight-domains.tsv", from where that is. Free *text. */
gboolean tt_config_data_read (const char *name, char **path, char **text, GError **error);

/* All of a file that a person wrote ('-': standard input), ended by a NUL; *len, if asked for, without that.
 * Free it. */
char *tt_config_read_file (const char *path, gsize *len, GError **error);

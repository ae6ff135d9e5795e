/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPage: the page that `report` writes, made section by section.
 *
 * A section is a descriptor at the end of its file, listed in sections.c. It asks an analyzer and adds what came of it:
 * sentences, pictures and tables. Text goes into HTML escaped, tables into JSON of which no text ends a script element;
 * page.js shows them as text. So nothing of a trace is markup or script, and the policy in the head of the page forbids any
 * script but page.js. However large the trace, there is a budget of bytes for each of these.
 *
 * Sections of a large trace are filled side by side: those that need the waits of the run, or open another one, with one
 * store, the others with a second store on a thread of its own, or by other ranks of a job. Each leaves its part; in the order of the page
 * they are put together.
 */
#pragma once

#include "analyzers/waits/causes.h"
#include "src/base/crew.h"
#include "src/base/report/fields.h"
#include "src/cli/command.h"
#include "src/cli/plots/plot.h"

/* What the head of the page says, in this order. */
typedef enum
{
  TT_PAGE_RUN,
  TT_PAGE_BOUND, /* what bounds it */
  TT_PAGE_WAITS, /* who waits for whom */
  TT_PAGE_LOOK,  /* what to look at first */
  TT_PAGE_TRUST, /* how far to trust it */
  TT_N_PAGE_SENTENCES,
} TtPageSentence;

/* What a section leaves. */
typedef struct
{
  GString *html, *data; /* markup; members of a JSON object */
  char *sentences[TT_N_PAGE_SENTENCES];
  gsize tables_left;    /* bytes of the budget */
  gboolean has_content; /* anything but why it has nothing */
} TtPagePart;

void tt_page_part_init (TtPagePart *self);
void tt_page_part_clear (TtPagePart *self);
/* Adds what @part has; its sentences take the place of those that are there. */
void tt_page_part_add (TtPagePart *self, TtPagePart *part);

typedef struct
{
  const TtContext *context;
  TtStore *store;
  TtSelection *selection; /* everything */
  const char *label;      /* the run as it was named */
  const char *against;    /* another one to compare with; NULL: none */
  const TtCrew *crew;     /* ranks that fill sections, of which this is one; NULL: it is alone */
  TtReportView view;
  TtPlotRequest plot;

  TtWaits *waits;       /* of the run, for more than one section; NULL: not asked for, or they are these: */
  TtAllWaits all_waits; /* found by the way, of a training job not those that are shown */

  TtPagePart all;         /* of all sections */
  GString *links;         /* to the sections that there are: markup */
  const char *section_id; /* of the section that is filled */
  TtPagePart *part;       /* the same one's */
} TtPage;

typedef struct
{
  const char *id, *title;
  const char *command;   /* that says the same; NULL: none */
  gboolean stands_alone; /* needs no waits of the page, and tells nothing on standard error */
  /* FALSE with @error: the run cannot be read, or TT_ERROR_NO_ANSWER, which the section then says. What adds nothing leaves
   * the section out. */
  gboolean (*fill) (TtPage *page, GError **error);
} TtPageSection;

extern const TtPageSection tt_page_timeline, tt_page_stats, tt_page_breakdown, tt_page_imbalance, tt_page_comm,
    tt_page_waits, tt_page_path, tt_page_graph, tt_page_steps, tt_page_kernels, tt_page_transfers, tt_page_compare,
    tt_page_trust;

/* In the order of the page; NULL-ended. */
extern const TtPageSection *const tt_page_sections[];

void tt_page_init (TtPage *self, TtStore *store, TtSelection *selection);
void tt_page_clear (TtPage *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPage, tt_page_clear)

/* All sections, then the sentences of the head. */
gboolean tt_page_fill (TtPage *self, GError **error);
/* As another rank than 0: some of the sections, for rank 0. */
gboolean tt_page_help (TtPage *self, GError **error);
void tt_page_write (const TtPage *self, TtOutput *out);

/* -- for sections ------------------------------------------------------------------------------------------------ */

/* As a sentence has room for it. Free it. */
char *tt_page_name (const char *name);
/* Takes @text, which may be NULL. */
void tt_page_sentence (TtPage *self, TtPageSentence which, char *text);
/* Lines, a paragraph each; one that begins with a blank belongs to the paragraph before. NULL: nothing. */
void tt_page_lines (TtPage *self, const char *text);
/* Why there is nothing to show. */
void tt_page_none (TtPage *self, const char *why);
/* What stands above and below @report, too. One without rows is left out. @word: of --show. */
gboolean tt_page_table (TtPage *self, const char *word, const char *caption, TtReport *report, GError **error);
/* A picture that is too large is left out, and that is said. @svg is freed. */
void tt_page_picture (TtPage *self, TtOutput *svg, const char *command);
/* Where the graph or the timeline go. */
void tt_page_markup (TtPage *self, const char *markup);
/* @member: one of the data object, "\"name\":value", in which no text has < or >. */
void tt_page_data (TtPage *self, const char *member);
/* Text that becomes HTML; of a long line the middle is left out. */
void tt_page_escape (GString *html, const char *text);
/* Waits of the run, found once. NULL with @error. */
const TtWaits *tt_page_find_waits (TtPage *self, GError **error);
/* What made them. Of all_waits, for which it can be asked once. */
TtWaitCauses *tt_page_find_causes (TtPage *self, GError **error);

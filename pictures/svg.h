/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements of an SVG picture: numbers, texts of anybody, shapes.
 *
 * Lengths are in hundredths of a pixel, so that no picture depends on how a processor rounds. Texts come from traces: what
 * steers, is no character or is markup is escaped, and what is too long is cut in its middle. A picture has neither scripts
 * nor links. Colours are classes of the style sheet (svg.c), which has them for light and for dark screens.
 */
#pragma once

#include "src/base/int128.h"
#include "src/base/output.h"

#define TT_PX(n) ((gint64) (n) *100)
/* Of a text in the picture's typewriter face, for layout: a character in tenths of a pixel. */
#define TT_PICTURE_CHAR 66
/* Characters of a tooltip; what is longer is cut. */
#define TT_PICTURE_TOOLTIP 100u
/* Colours of series: classes c0, c1 ...; the last is grey, for the rest or for nothing. */
#define TT_PICTURE_COLOURS 9u
#define TT_PICTURE_GREY (TT_PICTURE_COLOURS - 1)
/* Shades of amounts: classes h0, h1 ... */
#define TT_PICTURE_SHADES 8u

/* Begins the document. @title, @description: what screen readers say. */
void tt_svg_begin (TtOutput *out, gint64 width, gint64 height, const char *title, const char *description);
void tt_svg_end (TtOutput *out);

/* @text as content or attribute, at most @max_chars wide (a Chinese character is 2); 0: all. */
void tt_svg_escape (TtOutput *out, const char *text, guint max_chars);
void tt_svg_append_escaped (GString *xml, const char *text, guint max_chars);
/* How many characters of the typewriter face fit. */
guint tt_svg_chars (gint64 width);
/* The width of @text in that face. */
gint64 tt_svg_width (const char *text);

void tt_svg_length (TtOutput *out, gint64 length);
/* ' NAME="12.5"' */
void tt_svg_attribute (TtOutput *out, const char *name, gint64 length);
/* ' data-NAME="123"', the exact number. */
void tt_svg_data (TtOutput *out, const char *name, tt_int128 value);
void tt_svg_data_text (TtOutput *out, const char *name, const char *text);

/* @css_class: NULL: none. */
void tt_svg_text (TtOutput *out, const char *css_class, gint64 x, gint64 y, const char *text, guint max_chars);
void tt_svg_line (TtOutput *out, const char *css_class, gint64 x1, gint64 y1, gint64 x2, gint64 y2);
/* '<rect ...' without its end: attributes may follow, then tt_svg_tooltip() or "/>". */
void tt_svg_open_rect (TtOutput *out, const char *css_class, gint64 x, gint64 y, gint64 width, gint64 height);
/* '><title>TEXT</title></ELEMENT>': ends an open element. */
void tt_svg_tooltip (TtOutput *out, const char *element, const char *text);

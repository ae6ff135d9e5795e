/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/svg.h"

#include "src/base/clean-text.h"
#include "src/base/report/cut.h"

/*
 * Okabe and Ito's colours, which people tell apart however they see colours, and cividis' shades. Programs that know no
 * media queries draw for a light screen.
 */
static const char style[] =
    "<style>\n"
    "text{font:11px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1f2328}\n"
    ".title{font:bold 18px system-ui,'DejaVu Sans',sans-serif}\n"
    ".run,.axis{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#4d545c}\n"
    ".note{font:11px system-ui,'DejaVu Sans',sans-serif;fill:#4d545c}\n"
    ".r{text-anchor:end}\n"
    ".m{text-anchor:middle}\n"
    ".paper{fill:#fff}\n"
    ".grid{stroke:#e3e6e9}\n"
    ".edge{stroke:#6b737b}\n"
    ".mark{stroke:#1f2328;stroke-width:1.5;stroke-dasharray:6 3}\n"
    ".cut{stroke:#fff;stroke-width:.5}\n"
    ".none{fill:#f3f4f6}\n"
    ".on{fill:#1f2328}\n"
    ".c0{fill:#0072b2}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#d55e00}.c4{fill:#56b4e9}\n"
    ".c5{fill:#cc79a7}.c6{fill:#f0e442}.c7{fill:#7a6bc4}.c8{fill:#b4b9be}\n"
    ".l0{stroke:#0072b2}.l1{stroke:#e69f00}.l2{stroke:#009e73}.l3{stroke:#d55e00}.l4{stroke:#56b4e9}\n"
    ".l5{stroke:#cc79a7}.l6{stroke:#c9bc00}.l7{stroke:#7a6bc4}.l8{stroke:#8d949b}\n"
    ".line{fill:none;stroke-width:1.5}\n"
    ".band{fill-opacity:.25}\n"
    ".dot{fill-opacity:.6}\n"
    ".h0{fill:#00224e}.h1{fill:#213b6e}.h2{fill:#4c556c}.h3{fill:#6c6e72}\n"
    ".h4{fill:#8e8978}.h5{fill:#b2a570}.h6{fill:#d9c55c}.h7{fill:#fee838}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text,.on{fill:#e6edf3}\n"
    ".run,.axis,.note{fill:#9da7b1}\n"
    ".paper{fill:#0f1419}\n"
    ".grid{stroke:#2a3138}\n"
    ".edge{stroke:#8b949e}\n"
    ".mark{stroke:#e6edf3}\n"
    ".cut{stroke:#0f1419}\n"
    ".none{fill:#1b2128}\n"
    ".c0{fill:#3a9bdc}.c8{fill:#5c646d}\n"
    ".l0{stroke:#3a9bdc}\n"
    ".dark{fill:#10161c}\n"
    "}\n"
    ".dark{fill:#10161c}.pale{fill:#fff}\n"
    "</style>\n";

void
tt_svg_begin (TtOutput *out, gint64 width, gint64 height, const char *title, const char *description)
{
  tt_output_literal (out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
  tt_svg_attribute (out, "width", width);
  tt_svg_attribute (out, "height", height);
  tt_output_literal (out, " viewBox=\"0 0 ");
  tt_svg_length (out, width);
  tt_output_literal (out, " ");
  tt_svg_length (out, height);
  tt_output_literal (out, "\">\n<title>");
  tt_svg_escape (out, title, TT_PICTURE_TOOLTIP);
  tt_output_literal (out, "</title>\n<desc>");
  tt_svg_escape (out, description, TT_PICTURE_TOOLTIP);
  tt_output_literal (out, "</desc>\n");
  tt_output_bytes (out, style, sizeof style - 1);
  tt_output_literal (out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
}

void
tt_svg_end (TtOutput *out)
{
  tt_output_literal (out, "</svg>\n");
}

/* -- texts ------------------------------------------------------------------------------------------------------- */

static void
escape_char (GString *xml, gunichar c)
{
  if (c == '<')
    g_string_append (xml, "&lt;");
  else if (c == '>')
    g_string_append (xml, "&gt;");
  else if (c == '&')
    g_string_append (xml, "&amp;");
  else if (c == '"')
    g_string_append (xml, "&quot;");
  else
    g_string_append_unichar (xml, c == 0xfffe || c == 0xffff ? 0xfffd : c); /* no characters of XML */
}

/* Marks that take no width count, too: a name may be all of them. */
static gint64
char_width (gunichar c)
{
  return g_unichar_iswide (c) ? 2 : 1;
}

void
tt_svg_append_escaped (GString *xml, const char *text, guint max_chars)
{
  g_autoptr (GString) clean = g_string_new (NULL);
  gint64 width = 0, at = 0;
  gboolean is_cut = FALSE;

  if (text == NULL)
    return;
  tt_clean_append (clean, text);
  for (const char *p = clean->str; *p != '\0'; p = g_utf8_next_char (p))
    width += char_width (g_utf8_get_char (p));
  gint64 tail = max_chars == 0 || width <= max_chars ? width : ((gint64) max_chars - 1) / 3;
  gint64 head = tail == width ? 0 : (gint64) max_chars - 1 - tail;
  for (const char *p = clean->str; *p != '\0'; p = g_utf8_next_char (p))
    {
      gint64 end = at + char_width (g_utf8_get_char (p));

      if (end <= head || at >= width - tail)
        escape_char (xml, g_utf8_get_char (p));
      else if (!is_cut)
        {
          g_string_append (xml, "\xe2\x80\xa6");
          is_cut = TRUE;
        }
      at = end;
    }
}

void
tt_svg_escape (TtOutput *out, const char *text, guint max_chars)
{
  g_autoptr (GString) xml = g_string_new (NULL);

  tt_svg_append_escaped (xml, text, max_chars);
  tt_output_bytes (out, xml->str, xml->len);
}

guint
tt_svg_chars (gint64 width)
{
  return width <= 0 ? 0 : (guint) (width / (TT_PICTURE_CHAR * 10));
}

gint64
tt_svg_width (const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append (clean, text == NULL ? "" : text);
  return (gint64) tt_text_width (clean->str) * TT_PICTURE_CHAR * 10;
}

/* -- numbers ----------------------------------------------------------------------------------------------------- */

void
tt_svg_length (TtOutput *out, gint64 length)
{
  gint64 whole = length / 100, part = ABS (length % 100);

  if (length < 0 && whole == 0)
    tt_output_literal (out, "-");
  tt_output_int (out, whole);
  if (part % 10 != 0)
    tt_output_printf (out, ".%02d", (int) part);
  else if (part != 0)
    tt_output_printf (out, ".%d", (int) part / 10);
}

void
tt_svg_attribute (TtOutput *out, const char *name, gint64 length)
{
  tt_output_printf (out, " %s=\"", name);
  tt_svg_length (out, length);
  tt_output_literal (out, "\"");
}

void
tt_svg_data (TtOutput *out, const char *name, tt_int128 value)
{
  char text[TT_INT128_TEXT];

  tt_output_printf (out, " data-%s=\"%s\"", name, tt_int128_text (text, value));
}

void
tt_svg_data_text (TtOutput *out, const char *name, const char *text)
{
  tt_output_printf (out, " data-%s=\"", name);
  tt_svg_escape (out, text, TT_PICTURE_TOOLTIP);
  tt_output_literal (out, "\"");
}

/* -- shapes ------------------------------------------------------------------------------------------------------ */

static void
open_element (TtOutput *out, const char *element, const char *css_class)
{
  tt_output_printf (out, "<%s", element);
  if (css_class != NULL)
    tt_output_printf (out, " class=\"%s\"", css_class);
}

void
tt_svg_text (TtOutput *out, const char *css_class, gint64 x, gint64 y, const char *text, guint max_chars)
{
  open_element (out, "text", css_class);
  tt_svg_attribute (out, "x", x);
  tt_svg_attribute (out, "y", y);
  tt_output_literal (out, ">");
  tt_svg_escape (out, text, max_chars);
  tt_output_literal (out, "</text>\n");
}

void
tt_svg_line (TtOutput *out, const char *css_class, gint64 x1, gint64 y1, gint64 x2, gint64 y2)
{
  open_element (out, "line", css_class);
  tt_svg_attribute (out, "x1", x1);
  tt_svg_attribute (out, "y1", y1);
  tt_svg_attribute (out, "x2", x2);
  tt_svg_attribute (out, "y2", y2);
  tt_output_literal (out, "/>\n");
}

void
tt_svg_open_rect (TtOutput *out, const char *css_class, gint64 x, gint64 y, gint64 width, gint64 height)
{
  open_element (out, "rect", css_class);
  tt_svg_attribute (out, "x", x);
  tt_svg_attribute (out, "y", y);
  tt_svg_attribute (out, "width", width);
  tt_svg_attribute (out, "height", height);
}

void
tt_svg_tooltip (TtOutput *out, const char *element, const char *text)
{
  tt_output_literal (out, "><title>");
  tt_svg_escape (out, text, 3 * TT_PICTURE_TOOLTIP);
  tt_output_printf (out, "</title></%s>\n", element);
}

"""The style sheet: a page of text for a wide screen, a telephone, and A4 paper.

Figures are drawn as wide as a journal's column: two stand side by side where there is room, and one fills a
telephone's width at its natural size. What cannot shrink, tables, code and the figures that are wider,
scrolls in a box of its own.
"""

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --soft: #505050; --rule: #c8c8c8; --tint: #f4f4f1; }
*, *::before, *::after { box-sizing: border-box; }
html { background: #fff; color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 3rem; overflow-wrap: anywhere;
  font: 1.0625rem/1.55 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; break-after: avoid; }
h1 { margin: 0 0 1.25rem; font-size: 1.9rem; }
h2 { margin: 2.75rem 0 .75rem; padding-top: .6rem; border-top: 1px solid var(--rule); font-size: 1.35rem; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.1rem; }
p, ul { max-width: 44rem; margin: 0 0 .8rem; }
ul { padding-left: 1.25rem; }
li { margin-bottom: .35rem; }
.verdict { max-width: 50rem; padding: 1.1rem 1.25rem .35rem; background: var(--tint);
  border-left: .3rem solid #0072b2; }
.verdict p { max-width: none; }
.verdict .answer { font-size: 1.25rem; line-height: 1.4; }
.warning { padding: .7rem .9rem; border: 2px solid #a33c00; background: #fff; font-weight: bold; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr));
  gap: 1.5rem 2rem; margin: 1.25rem 0; align-items: start; }
figure { min-width: 0; margin: 0; break-inside: avoid; }
figure.wide { grid-column: 1 / -1; }
figure:not(.wide) { max-width: 34rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg * { stroke-linejoin: round; stroke-linecap: butt; }
figcaption { margin-top: .4rem; color: var(--soft); font-size: .9rem; line-height: 1.45; }
figcaption b { color: var(--ink); }
.scroll, pre { max-width: 100%; overflow-x: auto; margin: 0 0 1.25rem; }
figure > .scroll { margin: 0; }
.scroll:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid #0072b2;
  outline-offset: 2px; }
table { border-collapse: collapse; border-bottom: 1.5px solid var(--ink);
  font: .9rem/1.4 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; }
caption { padding: 0 0 .4rem; color: var(--soft); font-size: .9rem; text-align: left;
  max-width: calc(100vw - 2rem); }
figure.wide svg { min-width: 43rem; }
th, td { padding: .28rem .7rem; border-top: 1px solid var(--rule); text-align: left;
  vertical-align: baseline; }
thead th, .pairs tr:first-child > * { border-top: 1.5px solid var(--ink); }
thead th { vertical-align: bottom; }
table { overflow-wrap: normal; }
tbody th { font-weight: normal; min-width: 9rem; max-width: 24rem; }
td.words { min-width: 9.5rem; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
.words { overflow-wrap: anywhere; }
table:not(.pairs) tbody th { width: 30%; }
.matrix th, .matrix td { padding: .25rem .45rem; }
.matrix bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.matrix thead .number { max-width: 7rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
pre { padding: .8rem 1rem; background: var(--tint); line-height: 1.45; }
code { font: .85rem ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
details { margin: 0 0 .6rem; }
summary { cursor: pointer; }
details[open] > summary { margin-bottom: .6rem; }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
@page { size: A4; margin: 18mm 16mm; @bottom-right { content: counter(page) " / " counter(pages);
  font: 8pt sans-serif; color: #505050; } }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  h1 { font-size: 17pt; } h2 { font-size: 13pt; margin-top: 8mm; } h3 { font-size: 11pt; }
  .figures { grid-template-columns: 1fr 1fr; gap: 5mm; }
  .figures > :only-child:not(.wide) { max-width: 110mm; grid-column: 1 / -1; }
  .scroll, pre { overflow: visible; } caption { max-width: none; } figure.wide svg { min-width: 0; }
  pre { white-space: pre-wrap; }
  table { font-size: 8pt; } caption, figcaption { font-size: 8.5pt; }
  table:not(.pairs) tbody th { width: 30%; }
  .matrix { font-size: 5.5pt; } .matrix .number { white-space: normal; }
  .matrix th, .matrix td { padding: .6mm 1mm; }
  .matrix tbody th { min-width: 22mm; max-width: 45mm; }
  thead { display: table-header-group; }
  tr, li, .verdict, .warning, .pairs { break-inside: avoid; }
  p { orphans: 3; widows: 3; }
  details::details-content { content-visibility: visible; height: auto; opacity: 1; }
  .verdict, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

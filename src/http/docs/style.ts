/** One column that fits a phone, in light or dark colours as the reader's system prefers. */
export const documentationStyle = `
:root {
  color-scheme: light dark;
  --page: #fbfbf9; --card: #fff; --text: #1c2321; --soft: #55605c; --line: #dfe3e0; --accent: #0b6b53; --tint: #e5f2ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121615; --card: #1a201e; --text: #e6ebe8; --soft: #a3afaa; --line: #2d3633; --accent: #6fd0b2; --tint: #1c332c;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 46rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible, pre:focus-visible, .wide:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, h3 { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: .9em; background: var(--tint); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; margin: .5rem 0 1rem; letter-spacing: -.02em; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 1rem; display: flex; align-items: baseline; gap: .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
h3 a { text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.status { color: var(--accent); font-variant-numeric: tabular-nums; }
nav { background: var(--page); padding: .5rem 0; border-bottom: 1px solid var(--line); }
nav.home { border: 0; padding: 0; }
nav.home ul { gap: 0 1rem; }
nav.home a { padding: .15rem 0; background: none; border-radius: 4px; text-decoration: underline; }
@media (min-width: 48rem) {
  html { scroll-padding-top: 4rem; }
  nav.sticky { position: sticky; top: 0; }
}
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; }
nav a {
  display: inline-block; padding: .15rem .55rem; border-radius: 999px; background: var(--tint);
  font-size: .9rem; font-variant-numeric: tabular-nums; text-decoration: none;
}
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0 0 .75rem; }
article:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
article p { margin: .25rem 0 0; color: var(--soft); }
article .title { color: var(--text); font-weight: 600; }
pre {
  margin: .75rem 0 0; padding: .75rem; overflow-x: auto; border-radius: 6px;
  background: var(--page); border: 1px solid var(--line); font-size: .85rem; line-height: 1.5;
}
.guide { display: flow-root; }
.guide > nav { margin-bottom: 1rem; }
.guide h2 { font-size: 1.4rem; letter-spacing: -.01em; border-top: 1px solid var(--line); padding-top: 1.5rem; }
.guide h3 { font-family: inherit; font-size: 1.1rem; margin: 2rem 0 .5rem; }
.guide pre { background: var(--card); margin: 0 0 1rem; }
.guide pre code { background: none; padding: 0; font-size: inherit; overflow-wrap: normal; }
.guide li + li { margin-top: .35rem; }
.guide nav li + li { margin-top: 0; }
.wide { overflow-x: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
td:first-child { min-width: 6rem; }
td:not(:first-child) { min-width: 9rem; }
td code { overflow-wrap: normal; }
form { display: grid; grid-template-columns: 1fr auto; gap: .5rem; margin: 0 0 1.5rem; }
form label { grid-column: 1 / -1; color: var(--soft); }
input[type=search], button {
  font: inherit; min-width: 0; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--text);
}
form :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; padding: 0; list-style: none; }
.cards a {
  display: block; height: 100%; padding: 1rem; border: 1px solid var(--line); border-radius: 10px;
  background: var(--card); color: var(--text); text-decoration: none;
}
.cards a:hover { border-color: var(--accent); }
.cards strong { display: block; color: var(--accent); }
.languages { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
.languages legend { padding: 0 .35rem; color: var(--soft); font-size: .9rem; }
.languages input { accent-color: var(--accent); }
.reference nav { border: 0; margin: 0 0 1rem; }
@media (min-width: 64rem) {
  body:has(.reference) { max-width: 72rem; }
  .reference { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 2.5rem; }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem .25rem; }
  .reference nav ul { flex-direction: column; gap: 0; }
  .reference nav a { padding: .2rem .5rem; background: none; border-radius: 4px; line-height: 1.4; }
  .reference nav a:hover { background: var(--tint); }
}
.reference:has(#in-curl:checked) :is(.lang-ts, .lang-python),
.reference:has(#in-typescript:checked) :is(.lang-sh, .lang-python),
.reference:has(#in-python:checked) :is(.lang-sh, .lang-ts) { display: none; }
`;

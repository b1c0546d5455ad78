/** The layout of a documentation page: text without scripts, one style, links to the other pages. */
import { cspHashOf, Html, html, icon } from '../answers/html.js';
import { documentationStyle } from './style.js';

export const documentationPolicy = `default-src 'none'; style-src ${cspHashOf(documentationStyle)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface DocumentationPage {
  readonly title: string;
  /**
   * The API reference, relative to this page. Addresses are relative: the service may stand behind any base address.
   */
  readonly home: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly content: Html;
}

export function documentationPage({ title, home, links, content }: DocumentationPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Remesa</title>
${icon}
<style>${new Html(documentationStyle)}</style>
</head>
<body>
<nav class="home" aria-label="Documentation"><ul>
<li><a href="${home}">API reference</a></li>
${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}
</ul></nav>
${content}
</body>
</html>
`;
}

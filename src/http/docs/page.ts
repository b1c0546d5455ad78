/** The layout of a documentation page: text without scripts, one style, links to the other pages. */
import type { FastifyRequest } from 'fastify';
import { constantAnswer } from '../answers/constant-answer.js';
import { cspHashOf, Html, html, icon } from '../answers/html.js';
import { type Route, raw } from '../route.js';
import { documentationStyle } from './style.js';

const documentationPolicy = `default-src 'none'; style-src ${cspHashOf(documentationStyle)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Of the one page with a form. */
export const policyWithForm = documentationPolicy.replace("form-action 'none'", "form-action 'self'");

export interface DocumentationPage {
  readonly title: string;
  /**
   * The start page, relative to this page. Addresses are relative: the service may stand behind any base address.
   */
  readonly home: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly content: Html;
  /** The same as Markdown, relative to this page. */
  readonly markdown?: string;
}

export function documentationPage({ title, home, links, content, markdown }: DocumentationPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Remesa</title>
${icon}
${markdown === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${markdown}">`}
<style>${new Html(documentationStyle)}</style>
</head>
<body>
<nav class="home" aria-label="Documentation"><ul>
<li><a href="${home}">Documentation</a></li>
<li><a href="${home}/search">Search</a></li>
${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}
</ul></nav>
${content}
${markdown === undefined ? '' : html`<footer><a href="${markdown}">This page as Markdown</a></footer>`}
</body>
</html>
`;
}

export interface TextPage {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly markdown: () => string;
  readonly page: () => string;
}

/** A text for people as a page, and for programs as Markdown: at its address with `.md`, or by `Accept`. */
export function textRoutes({ path, operationId, summary, markdown, page }: TextPage): Route[] {
  const asPage = constantAnswer({
    contentType: 'text/html; charset=utf-8',
    make: page,
    headers: { 'content-security-policy': documentationPolicy, vary: 'accept, accept-encoding' },
  });
  const asMarkdown = constantAnswer({
    contentType: 'text/markdown; charset=utf-8',
    make: markdown,
    headers: { vary: 'accept, accept-encoding' },
  });
  const described = { method: 'GET', access: { token: 'none' }, tag: 'Documentation', hidden: true, summary } as const;
  return [
    raw({
      ...described,
      path,
      operationId,
      run: (request, reply) => (prefersMarkdown(request) ? asMarkdown(request, reply) : asPage(request, reply)),
    }),
    raw({ ...described, path: `${path}.md`, operationId: `${operationId}Markdown`, run: asMarkdown }),
  ];
}

function prefersMarkdown({ headers }: FastifyRequest): boolean {
  const { accept = '' } = headers;
  return accept.includes('text/markdown') && !accept.includes('text/html');
}

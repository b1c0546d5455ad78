/** The page to which the `type` of every problem document points: each code, its status, and what to do about it. */
import { type ConstantAnswer, constantAnswer } from '../answers/constant-answer.js';
import { Html, html } from '../answers/html.js';
import { statusOfKind } from '../problems/problem.js';
import type { Explanation, ProblemCatalogue } from '../problems/problem-catalogue.js';
import { type Route, raw } from '../route.js';
import { guides } from './guides.js';
import { documentationPage, documentationPolicy } from './page.js';

const statusMeanings: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict with the current state',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Valid, but not possible',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Unavailable for the moment',
};

export function errorPageRoute(catalogue: ProblemCatalogue): Route {
  return raw({
    method: 'GET',
    path: '/docs/errors',
    access: { token: 'none' },
    tag: 'Documentation',
    operationId: 'getErrorPage',
    summary: 'Every code of a problem, explained',
    hidden: true,
    run: constantAnswer(errorPage(catalogue)),
  });
}

export function errorPage(catalogue: ProblemCatalogue): ConstantAnswer {
  return {
    contentType: 'text/html; charset=utf-8',
    make: () => pageOf(catalogue).text,
    headers: { 'content-security-policy': documentationPolicy },
  };
}

/** Of a page whose address is below `/docs/`. */
const documentationLinks = [
  { href: 'api', text: 'API reference' },
  ...guides.map(({ name, title }) => ({ href: `guides/${name}`, text: title })),
];

function pageOf(catalogue: ProblemCatalogue): Html {
  const problems = Object.entries(catalogue);
  const statuses = [...new Set(problems.map(([, { kind }]) => statusOfKind[kind]))].sort((a, b) => a - b);
  const ofStatus = (status: number) => problems.filter(([, { kind }]) => statusOfKind[kind] === status);
  const content = html`<header>
<h1>Errors</h1>
<p>Errors are answered as <code>application/problem+json</code> (RFC 9457). Programs use <code>code</code>, which is
stable; people read <code>title</code> and <code>detail</code>. Report the <code>requestId</code> if you ask for help: it
names the request in the log.</p>
</header>
<nav class="sticky" aria-label="Statuses"><ul>
${statuses.map((status) => html`<li><a href="#status-${status}">${status}</a></li>`)}
</ul></nav>
<main>
${statuses.map((status) => groupOf(status, ofStatus(status)))}
</main>`;
  return documentationPage({ title: 'Errors', home: '../docs', links: documentationLinks, content });
}

function groupOf(status: number, problems: readonly (readonly [string, Explanation])[]): Html {
  return html`<section aria-labelledby="status-${status}">
<h2 id="status-${status}"><span class="status">${status}</span> ${statusMeanings[status] ?? ''}</h2>
${problems.map(([code, explanation]) => problemOf(code, explanation))}
</section>`;
}

function problemOf(code: string, { title, remedy, exampleMembers }: Explanation): Html {
  const members = exampleMembers
    ? html`\n<pre tabindex="0" aria-label="Example of its other members">${JSON.stringify(exampleMembers, null, 2)}</pre>`
    : '';
  return html`<article id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p class="title">${title}</p>
<p>${withCode(remedy)}</p>${members}
</article>`;
}

/** Shows text between backticks as code. */
function withCode(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return new Html(pieces.map((piece) => piece.text).join(''));
}

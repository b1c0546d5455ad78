/** The page to which the `type` of every problem document points: each code, its status, and what to do about it. */
import { Html, html } from '../answers/html.js';
import { statusOfKind } from '../problems/problem.js';
import type { Explanation, ProblemCatalogue } from '../problems/problem-catalogue.js';
import type { Route } from '../route.js';
import { guides } from './guides.js';
import { documentationPage, textRoutes } from './page.js';

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

export function errorRoutes(catalogue: ProblemCatalogue): Route[] {
  return textRoutes({
    path: '/docs/errors',
    operationId: 'getErrorPage',
    summary: 'Every code of a problem, explained',
    markdown: () => errorsMarkdown(catalogue),
    page: () => errorPage(catalogue),
  });
}

const introduction =
  'Errors are answered as `application/problem+json` (RFC 9457). Programs use `code`, which is stable; people read `title` ' +
  'and `detail`. Report the `requestId` if you ask for help: it names the request in the log. `GET /merchant/requests` and ' +
  '`remesa logs` show your last requests with their codes.';

function errorsMarkdown(catalogue: ProblemCatalogue): string {
  const groups = statusesOf(catalogue).map((status) => {
    const problems = problemsOf(catalogue, status).map(([code, { title, remedy, exampleMembers }]) => {
      const members = exampleMembers ? `\n\n\`\`\`json\n${JSON.stringify(exampleMembers, null, 2)}\n\`\`\`` : '';
      return `### ${code}\n\n${title}\n\n${remedy}${members}`;
    });
    return [`## ${status} ${statusMeanings[status] ?? ''}`, ...problems].join('\n\n');
  });
  return ['# Errors', introduction, ...groups].join('\n\n');
}

/** Of a page whose address is below `/docs/`. */
const documentationLinks = [
  { href: 'api', text: 'API reference' },
  ...guides.map(({ name, title }) => ({ href: `guides/${name}`, text: title })),
];

function statusesOf(catalogue: ProblemCatalogue): number[] {
  const statuses = Object.values(catalogue).map(({ kind }) => statusOfKind[kind]);
  return [...new Set(statuses)].sort((a, b) => a - b);
}

function problemsOf(catalogue: ProblemCatalogue, status: number): [code: string, Explanation][] {
  return Object.entries(catalogue).filter(([, { kind }]) => statusOfKind[kind] === status);
}

export function errorPage(catalogue: ProblemCatalogue): string {
  const statuses = statusesOf(catalogue);
  const content = html`<header>
<h1>Errors</h1>
<p>${withCode(introduction)}</p>
</header>
<nav class="sticky" aria-label="Statuses"><ul>
${statuses.map((status) => html`<li><a href="#status-${status}">${status}</a></li>`)}
</ul></nav>
<main>
${statuses.map((status) => groupOf(status, problemsOf(catalogue, status)))}
</main>`;
  const markdown = 'errors.md';
  return documentationPage({ title: 'Errors', home: '../docs', links: documentationLinks, content, markdown }).text;
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

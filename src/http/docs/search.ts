/** Search over the documentation: a form and a list of links, made by this service, without a script. */
import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../answers/html.js';
import type { Documented } from '../openapi/document.js';
import { type Route, raw } from '../route.js';
import { guideSections } from './guides.js';
import { idOf } from './markdown.js';
import { documentationPage, policyWithForm } from './page.js';
import { slugOf } from './reference/document.js';

interface Entry {
  /** From `/docs/`. */
  readonly href: string;
  readonly title: string;
  readonly text: string;
  /** In small letters. */
  readonly searched: { readonly title: string; readonly text: string };
}

const longestQuestion = 100;
const mostWords = 8;
const mostFound = 30;
const shownCharacters = 180;

export function searchRoute(documented: Documented): Route {
  let made: Entry[] | undefined;
  const entries = () => {
    made ??= entriesOf(documented);
    return made;
  };
  return raw({
    method: 'GET',
    path: '/docs/search',
    access: { token: 'none' },
    tag: 'Documentation',
    operationId: 'searchDocumentation',
    summary: 'Search the documentation',
    hidden: true,
    run: async (request, reply) => {
      const question = questionOf(request);
      reply.header('vary', 'accept');
      if (request.headers.accept === 'application/json') return found(entries(), question).map(shownToProgram);
      reply.headers({ 'content-security-policy': policyWithForm, 'cache-control': 'no-cache' });
      return reply.type('text/html; charset=utf-8').send(searchPage(question, found(entries(), question)));
    },
  });
}

function questionOf({ query }: FastifyRequest): string {
  const { q } = query as { readonly q?: unknown };
  return typeof q === 'string' ? q.slice(0, longestQuestion) : '';
}

function entriesOf({ routes, problems }: Documented): Entry[] {
  const guides = guideSections().map(({ name, guide, heading, text }) =>
    entry(`guides/${name}${heading === undefined ? '' : `#${idOf(heading)}`}`, `${guide}: ${heading ?? ''}`, text),
  );
  const callsOf = (isOfOperators: boolean) =>
    routes
      .filter(({ hidden, path }) => !hidden && path.startsWith('/operator/') === isOfOperators)
      .map(({ tag, summary, method, path, description = '' }) =>
        entry(`api/${slugOf(tag)}#${idOf(summary)}`, `${summary}: ${method} ${path}`, description),
      );
  const errors = Object.entries(problems).map(([code, { title, remedy }]) =>
    entry(`errors#${code}`, `Error ${code}`, `${title} ${remedy}`),
  );
  // Of equals the first is shown first, and most readers are merchants.
  return [...guides, ...callsOf(false), ...errors, ...callsOf(true)];
}

function entry(href: string, written: string, text: string): Entry {
  const title = written.replace(/: $/, '');
  return { href, title, text, searched: { title: title.toLowerCase(), text: text.toLowerCase() } };
}

/** What contains every word, the best first: a word in the title counts more. */
function found(entries: readonly Entry[], question: string): Entry[] {
  const words = (question.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []).slice(0, mostWords);
  if (words.length === 0) return [];
  const isIn = ({ searched }: Entry) =>
    words.every((word) => searched.title.includes(word) || searched.text.includes(word));
  const score = ({ searched }: Entry) => words.filter((word) => searched.title.includes(word)).length;
  return entries
    .filter(isIn)
    .sort((left, right) => score(right) - score(left))
    .slice(0, mostFound);
}

function searchPage(question: string, results: readonly Entry[]): string {
  const none = html`<p>Nothing contains all of these words. Try fewer.</p>`;
  const list = html`<ol>
${results.map(({ href, title, text }) => html`<li><a href="${href}">${title}</a><br>${beginningOf(text)}</li>`)}
</ol>`;
  const answer: Html | string = question.trim() === '' ? '' : results.length === 0 ? none : list;
  return documentationPage({
    title: 'Search',
    home: '../docs',
    links: [
      { href: 'api', text: 'API reference' },
      { href: 'guides/quick-start', text: 'Quick start' },
      { href: 'errors', text: 'Errors' },
    ],
    content: html`<main class="guide">
<h1>Search</h1>
<form action="search" method="get" role="search">
<label for="q">Guides, calls and errors that contain all words</label>
<input type="search" id="q" name="q" value="${question}" maxlength="${longestQuestion}">
<button>Search</button>
</form>
${answer}
</main>`,
  }).text;
}

/** `path` is that of the page, from the root of the service. */
function shownToProgram({ href, title, text }: Entry): object {
  return { path: `/docs/${href}`, title, text: beginningOf(text) };
}

/** As plain text. */
function beginningOf(markdown: string): string {
  const text = markdown
    .replaceAll(/```[\s\S]*?```|[`*|#]|\]\([^)]*\)|\[/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

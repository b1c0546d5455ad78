/** The API reference at `/docs/api`: one page for each tag, made at its first request from the OpenAPI document. */
import { Html, html } from '../../answers/html.js';
import { type Documented, openApiDocument } from '../../openapi/document.js';
import type { Route } from '../../route.js';
import { headingsOf, idOf, markdownHtml } from '../markdown.js';
import { documentationPage, textRoutes } from '../page.js';
import { type ApiDocument, operationsOf, slugOf } from './document.js';
import { referenceMarkdown } from './page.js';
import { prologueMarkdown } from './prologue.js';

export function referenceRoutes(documented: Documented): Route[] {
  let made: ApiDocument | undefined;
  const document = () => {
    made ??= openApiDocument(documented) as ApiDocument;
    return made;
  };
  const tags = [...new Set(documented.routes.filter(({ hidden }) => !hidden).map(({ tag }) => tag))];
  return [
    ...textRoutes({
      path: '/docs/api',
      operationId: 'getApiReference',
      summary: 'The API reference',
      markdown: () => indexMarkdown(document(), tags, documented.baseUrl()),
      page: () => indexPage(indexMarkdown(document(), tags, documented.baseUrl())),
    }),
    ...tags.flatMap((tag) => {
      const markdown = () =>
        referenceMarkdown({ document: document(), problems: documented.problems, baseUrl: documented.baseUrl() }, tag);
      return textRoutes({
        path: `/docs/api/${slugOf(tag)}`,
        operationId: `getApiReferenceOf${tag.replaceAll(/[^A-Za-z]/g, '')}`,
        summary: `The API reference: ${tag}`,
        markdown,
        page: () => tagPage(tag, markdown()),
      });
    }),
  ];
}

/** Every call in one list, so that the search of the browser finds it. */
function indexMarkdown(document: ApiDocument, tags: readonly string[], baseUrl: string): string {
  const section = (tag: string) => {
    const rows = operationsOf(document, tag).map(
      ({ method, path, summary }) =>
        `| \`${method} ${path}\` | [${summary}](docs/api/${slugOf(tag)}#${idOf(summary)}) |`,
    );
    return [`## ${tag}`, '', '| Call | Purpose |', '|---|---|', ...rows, ''].join('\n');
  };
  return ['# API reference', '', prologueMarkdown(baseUrl), '', ...tags.map(section)].join('\n');
}

function indexPage(markdown: string): string {
  return documentationPage({
    title: 'API reference',
    home: '../docs',
    links: [
      { href: 'guides/quick-start', text: 'Quick start' },
      { href: 'errors', text: 'Errors' },
      { href: 'try', text: 'Try it' },
    ],
    markdown: 'api.md',
    content: html`<main class="guide">
${contentsOf(markdown)}
${new Html(markdownHtml(markdown, (href) => (href.startsWith('docs/') ? href.slice('docs/'.length) : href)))}
</main>`,
  }).text;
}

function tagPage(tag: string, markdown: string): string {
  return documentationPage({
    title: `${tag}: API reference`,
    home: '../../docs',
    links: [
      { href: '../api', text: 'All calls' },
      { href: '../guides/quick-start', text: 'Quick start' },
      { href: '../errors', text: 'Errors' },
      { href: '../try', text: 'Try it' },
    ],
    markdown: `${slugOf(tag)}.md`,
    content: html`<main class="guide reference">
<div class="side">
${languages}
${contentsOf(markdown)}
</div>
<div>
${new Html(markdownHtml(markdown, addressOf))}
</div>
</main>`,
  }).text;
}

/** Which examples are shown. The style sheet does the rest. */
const languages = html`<fieldset class="languages">
<legend>Examples in</legend>
<label><input type="radio" name="language" id="in-curl" checked> curl</label>
<label><input type="radio" name="language" id="in-typescript"> TypeScript</label>
<label><input type="radio" name="language" id="in-python"> Python</label>
</fieldset>`;

function contentsOf(markdown: string): Html {
  const headings = headingsOf(markdown, 2);
  return html`<nav aria-label="On this page"><ul>
${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
</ul></nav>`;
}

/** Addresses in the document are relative to the service; a page of a tag is two levels below it. */
function addressOf(href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  return href.startsWith('docs/') ? `../${href.slice('docs/'.length)}` : `../../${href}`;
}

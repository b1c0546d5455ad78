/** The start page of the documentation, and the list of its pages for programs that read them. */
import { constantAnswer } from '../answers/constant-answer.js';
import { html } from '../answers/html.js';
import { type Route, raw } from '../route.js';
import { guides } from './guides.js';
import { documentationPage, textRoutes } from './page.js';

const described = { method: 'GET', access: { token: 'none' }, tag: 'Documentation', hidden: true } as const;

const cards = [
  {
    href: 'docs/guides/quick-start',
    title: 'First transfer',
    text: 'From a token to a completed transfer in the sandbox, command by command.',
  },
  { href: 'docs/guides/kyc-form', title: 'Identity form', text: 'Show it to your users, embed it, act on the result.' },
  {
    href: 'docs/guides/webhooks',
    title: 'Notifications',
    text: 'Receive every change, signed, in order, and check it.',
  },
  {
    href: 'docs/api',
    title: 'API reference',
    text: 'Every call with its fields, examples, errors and what to do about them.',
  },
];

export function startRoutes(baseUrl: () => string): Route[] {
  return textRoutes({
    path: '/docs',
    operationId: 'getDocumentation',
    summary: 'The start page of the documentation',
    markdown: () => contents(baseUrl()),
    page: () => startPage(baseUrl()),
  });
}

function startPage(baseUrl: string): string {
  return documentationPage({
    title: 'Documentation',
    home: 'docs',
    markdown: 'docs.md',
    links: [
      { href: 'docs/api', text: 'API reference' },
      ...guides.map(({ name, title }) => ({ href: `docs/guides/${name}`, text: title })),
      { href: 'docs/errors', text: 'Errors' },
      { href: 'docs/changelog', text: 'Changes' },
      { href: 'docs/try', text: 'Try it' },
    ],
    content: html`<main class="start">
<h1>Send money across borders</h1>
<p>Register users, verify them by a hosted form, get a price, place an order, and be told of every change. This service
answers at <code>${baseUrl}</code>.</p>
<ul class="cards">
${cards.map(({ href, title, text }) => html`<li><a href="${href}"><strong>${title}</strong> <span>${text}</span></a></li>`)}
</ul>
<h2>For programs</h2>
<p><a href="openapi.merchant.json">OpenAPI document for merchants</a>, <a href="openapi.json">with the calls of
operators</a>. Each page is also Markdown: add <code>.md</code> to its address. <a href="llms.txt">llms.txt</a> lists them
all. <a href="docs/try">Try a call</a> in the browser.</p>
</main>`,
  }).text;
}

/** As https://llmstxt.org describes it. */
function contents(baseUrl: string): string {
  return [
    '# Remesa',
    '',
    '> An open, self-hostable cross-border money-transfer service. Merchants register users, verify them by a hosted form, get',
    '> quotes, place orders, and receive a signed webhook for every change.',
    '',
    '## Guides',
    ...guides.map(({ name, title }) => `- [${title}](${baseUrl}/docs/guides/${name}.md)`),
    '',
    '## Reference',
    `- [API reference](${baseUrl}/docs/api.md): every call, by subject`,
    `- [OpenAPI document for merchants](${baseUrl}/openapi.merchant.json)`,
    `- [Errors](${baseUrl}/docs/errors.md): every code, and what to do about it`,
    `- [Changes](${baseUrl}/docs/changelog.md): what each version brought`,
    '',
  ].join('\n');
}

export function llmsRoute(baseUrl: () => string): Route {
  return raw({
    ...described,
    path: '/llms.txt',
    operationId: 'getLlmsText',
    summary: 'The pages of the documentation for language models',
    run: constantAnswer({ contentType: 'text/plain; charset=utf-8', make: () => contents(baseUrl()) }),
  });
}

/** The guides for merchants at `/docs/guides`: the Markdown files of `docs/` as pages of this service. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constantAnswer } from '../answers/constant-answer.js';
import { Html, html } from '../answers/html.js';
import { type Route, raw } from '../route.js';
import { headingsOf, markdownHtml } from './markdown.js';
import { documentationPage, documentationPolicy } from './page.js';

interface Guide {
  /** The last part of its address, and the name of its file. */
  readonly name: string;
  /** The text of links to it. */
  readonly title: string;
}

const guides: readonly Guide[] = [
  { name: 'kyc-form', title: 'Identity form' },
  { name: 'beneficiaries', title: 'Beneficiaries' },
  { name: 'orders', title: 'Orders' },
  { name: 'limits', title: 'Limits' },
  { name: 'sandbox-values', title: 'Sandbox' },
  { name: 'webhooks', title: 'Notifications' },
];

// Beside `src/` and `dist/` alike.
const folder = new URL('../../../docs/', import.meta.url);
/** The address in the commands of the guides. */
const exampleAddress = 'http://127.0.0.1:3000';

export function guideRoutes(baseUrl: () => string): Route[] {
  return guides.map((guide) => {
    const file = fileURLToPath(new URL(`${guide.name}.md`, folder));
    const answer = constantAnswer({
      contentType: 'text/html; charset=utf-8',
      make: () => guidePage(guide, readFileSync(file, 'utf8'), baseUrl()),
      headers: { 'content-security-policy': documentationPolicy },
    });
    return raw({
      method: 'GET',
      path: `/docs/guides/${guide.name}`,
      access: { token: 'none' },
      tag: 'Documentation',
      operationId: `getGuide${guide.name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      summary: `The guide: ${guide.title}`,
      hidden: true,
      run(request, reply) {
        // An installation without the documentation still serves everything else.
        if (existsSync(file)) return answer(request, reply);
        reply.callNotFound();
        return reply;
      },
    });
  });
}

/** Commands contain the address of this service, so that they can be pasted as they are. */
export function guidePage({ name, title }: Guide, markdown: string, baseUrl: string): string {
  const text = markdown.replaceAll(exampleAddress, baseUrl);
  const others = guides.filter((guide) => guide.name !== name);
  const sections = headingsOf(text, 2);
  return documentationPage({
    title,
    home: '../../docs',
    links: [...others.map((guide) => ({ href: guide.name, text: guide.title })), { href: '../errors', text: 'Errors' }],
    content: html`<main class="guide">
<nav aria-label="Sections"><ul>
${sections.map(({ id, text: heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
</ul></nav>
${new Html(markdownHtml(text, addressOf))}
</main>`,
  }).text;
}

/** Turns a link to a guide's file into a link to its page. Undefined for a file that has no page. */
function addressOf(href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return guides.some((guide) => guide.name === name) ? `${name}${fragment}` : undefined;
}

/** For the other pages, whose addresses are relative to `/docs/`. */
export const guideLinks = guides.map(({ name, title }) => ({ href: `guides/${name}`, text: title }));

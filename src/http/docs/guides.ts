/** The guides for merchants at `/docs/guides`: the Markdown files of `docs/` as pages of this service. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Html, html } from '../answers/html.js';
import type { Route } from '../route.js';
import { headingsOf, idOf, markdownHtml } from './markdown.js';
import { documentationPage, textRoutes } from './page.js';

interface Guide {
  /** The last part of its address. */
  readonly name: string;
  /** The text of links to it. */
  readonly title: string;
  /** Where its text is, from the root of the project. */
  readonly file: string;
  /** The heading of the part of the file that it shows; absent: all of it. */
  readonly section?: string;
}

export const guides: readonly Guide[] = [
  { name: 'quick-start', title: 'Quick start', file: 'docs/quick-start.md' },
  { name: 'users-and-tokens', title: 'Users and tokens', file: 'docs/users-and-tokens.md' },
  { name: 'kyc-form', title: 'Identity form', file: 'docs/kyc-form.md' },
  { name: 'beneficiaries', title: 'Beneficiaries', file: 'docs/beneficiaries.md' },
  { name: 'orders', title: 'Orders', file: 'docs/orders.md' },
  { name: 'order-states', title: 'States of an order', file: 'docs/order-states.md' },
  { name: 'policies', title: 'Payments that do not match', file: 'docs/payments.md', section: 'Policies' },
  { name: 'transfer-pages', title: 'Transfer pages', file: 'docs/transfer-pages.md' },
  { name: 'limits', title: 'Limits', file: 'docs/limits.md' },
  { name: 'webhooks', title: 'Notifications', file: 'docs/webhooks.md' },
  { name: 'webhook-code', title: 'Notifications in your language', file: 'docs/webhook-code.md' },
  { name: 'quotes', title: 'Quotes', file: 'docs/quotes.md' },
  { name: 'retries', title: 'Retries and errors', file: 'docs/retries.md' },
  { name: 'reconciliation', title: 'Reconciliation', file: 'docs/reconciliation.md' },
  { name: 'going-live', title: 'Going live', file: 'docs/going-live.md' },
  { name: 'sandbox-values', title: 'Sandbox', file: 'docs/sandbox-values.md' },
];

// Beside `src/` and `dist/` alike.
const root = new URL('../../../', import.meta.url);
/** The address in the commands of the guides. */
const exampleAddress = 'http://127.0.0.1:3000';

export function guideRoutes(baseUrl: () => string): Route[] {
  return guides.flatMap((guide) => {
    const file = fileURLToPath(new URL(guide.file, root));
    // An installation without the documentation still serves everything else.
    if (!existsSync(file)) return [];
    const text = () => guideText(guide, readFileSync(file, 'utf8'), baseUrl());
    return textRoutes({
      path: `/docs/guides/${guide.name}`,
      operationId: `getGuide${pascalCase(guide.name)}`,
      summary: `The guide: ${guide.title}`,
      markdown: text,
      page: () => guidePage(guide, text()),
    });
  });
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Commands contain the address of this service, so that they can be pasted as they are. */
function guideText({ section }: Pick<Guide, 'section'>, markdown: string, baseUrl: string): string {
  return partOf(markdown, section).replaceAll(exampleAddress, baseUrl);
}

interface GuideSection {
  readonly name: string;
  /** The title of the guide. */
  readonly guide: string;
  /** Undefined for what stands before the first one. */
  readonly heading: string | undefined;
  readonly text: string;
}

/** The parts of all guides that are installed. */
export function guideSections(): GuideSection[] {
  return guides.flatMap(({ name, title, file, section }) => {
    const path = fileURLToPath(new URL(file, root));
    if (!existsSync(path)) return [];
    const [beginning = '', ...parts] = partOf(readFileSync(path, 'utf8'), section).split('\n## ');
    const own = { name, guide: title };
    return [
      { ...own, heading: undefined, text: beginning.replace(/^# .*\n/, '') },
      ...parts.map((part) => {
        const [heading = '', ...lines] = part.split('\n');
        return { ...own, heading, text: lines.join('\n') };
      }),
    ];
  });
}

export function guidePage({ name, title }: Pick<Guide, 'name' | 'title'>, text: string): string {
  const others = guides.filter((guide) => guide.name !== name);
  const sections = headingsOf(text, 2);
  return documentationPage({
    title,
    home: '../../docs',
    links: [
      { href: '../api', text: 'API reference' },
      ...others.map((guide) => ({ href: guide.name, text: guide.title })),
      { href: '../errors', text: 'Errors' },
    ],
    markdown: `${name}.md`,
    content: html`<main class="guide">
${sections.length === 0 ? '' : contentsOf(sections)}
${new Html(markdownHtml(text, addressOf))}
</main>`,
  }).text;
}

function contentsOf(sections: ReturnType<typeof headingsOf>) {
  return html`<nav aria-label="Sections"><ul>
${sections.map(({ id, text: heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
</ul></nav>`;
}

/** The part of a file under a heading, which becomes the title; without a heading, all of it. */
export function partOf(markdown: string, heading: string | undefined): string {
  if (heading === undefined) return markdown;
  const [, text = ''] = markdown.split(`\n## ${heading}\n`);
  return `# ${heading}\n${text.split('\n## ', 1)[0]}`;
}

/** Turns a link to a guide's text into a link to its page. Undefined for what has no page. */
export function addressOf(href: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const file = path.split('/').at(-1);
  const guide = guides.find(
    (known) =>
      known.file.split('/').at(-1) === file && (known.section === undefined || idOf(known.section) === fragment),
  );
  if (!guide) return undefined;
  return guide.section === undefined && fragment !== undefined ? `${guide.name}#${fragment}` : guide.name;
}

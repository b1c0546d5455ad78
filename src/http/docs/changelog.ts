/** The changes of each version at `/docs/changelog`: `CHANGELOG.md` as a page, and its releases as an Atom feed. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constantAnswer } from '../answers/constant-answer.js';
import { Html, html } from '../answers/html.js';
import { type Route, raw } from '../route.js';
import { addressOf } from './guides.js';
import { headingsOf, markdownHtml } from './markdown.js';
import { documentationPage, textRoutes } from './page.js';

// Beside `src/` and `dist/` alike.
const file = fileURLToPath(new URL('../../../CHANGELOG.md', import.meta.url));

/** An installation without the file has no such page. */
export function changelogRoutes(baseUrl: () => string): Route[] {
  if (!existsSync(file)) return [];
  const text = () => readFileSync(file, 'utf8');
  return [
    ...textRoutes({
      path: '/docs/changelog',
      operationId: 'getChangelog',
      summary: 'What each version brought',
      markdown: text,
      page: () => changelogPage(text()),
    }),
    raw({
      method: 'GET',
      path: '/docs/changelog.atom',
      access: { token: 'none' },
      tag: 'Documentation',
      hidden: true,
      operationId: 'getChangelogFeed',
      summary: 'The releases as an Atom feed',
      run: constantAnswer({
        contentType: 'application/atom+xml; charset=utf-8',
        make: () => changelogFeed(text(), baseUrl(), statSync(file).mtime),
      }),
    }),
  ];
}

function changelogPage(markdown: string): string {
  const versions = headingsOf(markdown, 2);
  return documentationPage({
    title: 'Changes',
    home: '../docs',
    links: [
      { href: 'api', text: 'API reference' },
      { href: 'guides/quick-start', text: 'Quick start' },
      { href: 'errors', text: 'Errors' },
    ],
    markdown: 'changelog.md',
    content: html`<main class="guide">
<nav aria-label="Versions"><ul>
${versions.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
<li><a href="changelog.atom">Feed of releases</a></li>
</ul></nav>
${new Html(markdownHtml(markdown, (href) => guideAddress(href)))}
</main>`,
  }).text;
}

/** Guides are in a folder beside this page. */
function guideAddress(href: string): string | undefined {
  const address = addressOf(href);
  return address === undefined || /^(https?:|#)/.test(address) ? address : `guides/${address}`;
}

interface Release {
  readonly version: string;
  /** As `2026-12-01`. */
  readonly date: string;
  readonly text: string;
}

/** What is not released yet is left out. The newest first. */
function releasesOf(markdown: string): Release[] {
  return markdown
    .split('\n## ')
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [, version, date] = /^\[([^\]]+)\] - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
      return version && date ? [{ version, date, text: lines.join('\n').trim() }] : [];
    });
}

/** RFC 4287. Without a release, the feed is as old as the file. */
export function changelogFeed(markdown: string, baseUrl: string, changedAt: Date): string {
  const releases = releasesOf(markdown);
  const page = `${baseUrl}/docs/changelog`;
  const at = (date: string) => `${date}T00:00:00Z`;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Remesa: releases</title>
<id>${page}</id>
<link rel="self" href="${page}.atom"/>
<link rel="alternate" type="text/html" href="${page}"/>
<updated>${releases[0] ? at(releases[0].date) : changedAt.toISOString()}</updated>
<author><name>Remesa</name></author>
${releases.map(
  ({ version, date, text }) => html`<entry>
<title>${version}</title>
<id>${page}#${version}</id>
<link rel="alternate" type="text/html" href="${page}"/>
<updated>${at(date)}</updated>
<content type="html">${markdownHtml(text, () => undefined)}</content>
</entry>
`,
)}</feed>
`.text;
}

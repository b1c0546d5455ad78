import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { changelogFeed } from '../../src/http/docs/changelog.js';
import { errorPage } from '../../src/http/docs/errors.js';
import { addressOf, guidePage, guides, partOf } from '../../src/http/docs/guides.js';
import { serviceProblems } from '../../src/problems.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const reference = ['/docs/api', '/docs/api/orders', '/docs/api/tokens', '/docs/api/payments-for-operators'];
const pages = ['/docs', '/docs/errors', ...reference, ...guides.map(({ name }) => `/docs/guides/${name}`)];
interface ApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
}
const largestPage = 60_000;
const running = useService(useTestDatabase());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${running.service.url}${path}`, { headers, redirect: 'manual' });
}

describe.each<readonly [path: string, contentType: string]>([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/docs/try', 'text/html; charset=utf-8'],
  ['/docs/api/orders.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ...pages.map((path) => [path, 'text/html; charset=utf-8'] as const),
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8'],
])('%s', (path, contentType) => {
  it('needs no token and says what it is', async () => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(contentType);
  });

  it.each(['br', 'gzip', 'identity'])('comes as %s, the same text each way', async (encoding) => {
    const [plain, encoded] = await Promise.all([
      get(path, { 'accept-encoding': 'identity' }),
      get(path, { 'accept-encoding': encoding }),
    ]);
    expect(encoded.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(encoded.headers.get('vary')).toMatch(/^(accept, )?accept-encoding$/);
    expect((await encoded.text()) === (await plain.text())).toBe(true);
  });

  it('is not sent again to a cache that has it', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const again = await get(path, { 'if-none-match': `W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await get(path, { 'if-none-match': '"another"' });
    expect(other.status).toBe(200);
  });
});

it('an encoding that is refused is not used', async () => {
  const answer = await get('/openapi.json', { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
});

it.each(pages)('%s runs no script at all', async (path) => {
  const policy = (await get(path)).headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:; base-uri 'none'/);
});

it('the page that sends requests runs scripts of this service only, and none that is made from text', async () => {
  const policy = (await get('/docs/try')).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'self'");
});

it('a page is Markdown for a program that asks for it, at its address and with .md', async () => {
  for (const path of ['/docs', '/docs/errors', '/docs/api', '/docs/api/rates', '/docs/guides/orders']) {
    const page = await get(path, { accept: 'text/html, text/markdown;q=0.5' });
    const asked = await get(path, { accept: 'text/markdown' });
    const named = await get(`${path}.md`);
    expect([page, asked, named].map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
      'text/html',
      'text/markdown',
      'text/markdown',
    ]);
    expect(await asked.text()).toBe(await named.text());
  }
});

it('the reference has every call of the API, each with its errors and examples, on pages of at most 60 kB as they are sent', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as ApiPaths;
  const list = await (await get('/docs/api.md')).text();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]) => ({ call: `${method.toUpperCase()} ${path}`, tags })),
  );
  const pagesOfTags = new Map<string, string>();
  for (const tag of new Set(calls.map(({ tags }) => tags[0] ?? '')))
    pagesOfTags.set(tag, await (await get(`/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`)).text());
  for (const { call, tags } of calls) {
    expect(list).toContain(`\`${call}\``);
    const section =
      pagesOfTags
        .get(tags[0] ?? '')
        ?.split('<h2 ')
        .slice(1)
        .find((part) => part.includes(`<code>${call}</code>`)) ?? '';
    expect([call, section.includes('class="lang-ts"'), section.includes('Errors')]).toEqual([call, true, true]);
  }
  for (const [tag, page] of pagesOfTags) expect([tag, gzipSync(page).length < largestPage]).toEqual([tag, true]);
});

it('the page of errors has a place for every code', async () => {
  const page = await (await get('/docs/errors')).text();
  const missing = Object.keys(serviceProblems()).filter((code) => !page.includes(`<article id="${code}">`));
  expect(missing).toEqual([]);
});

it('the search finds guides, calls and errors by all words, escapes what was asked, and says when there is nothing', async () => {
  const search = async (question: string) => {
    const answer = await get(`/docs/search?q=${encodeURIComponent(question)}`);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'/);
    return await answer.text();
  };
  expect(await search('idempotency key')).toContain('<a href="guides/retries#send-a-key-with-each-write">');
  expect(await search('POST /orders preflight')).toContain('<a href="api/orders#');
  expect(await search('order_not_cancellable')).toContain('<a href="errors#order_not_cancellable">');
  const hostile = await search('"><script>alert(1)</script>');
  expect(hostile).not.toContain('<script');
  expect(await search('xyzzy order')).toContain('Nothing contains all of these words.');
  expect(await (await get('/docs/search?q=a&q=b')).text()).toContain('<h1>Search</h1>');
});

it('a program gets what the search finds as JSON, what merchants call before what operators call', async () => {
  const answer = await get('/docs/search?q=rotate+secret', { accept: 'application/json' });
  const found = (await answer.json()) as { path: string; title: string; text: string }[];
  const calls = found.filter(({ title }) => / (POST|GET) /.test(title)).map(({ title }) => title.split(': ')[1]);
  expect(calls.slice(0, 3)).toEqual([
    'POST /merchant/secrets/rotate',
    'POST /merchant/webhook/secret/rotate',
    'POST /operator/merchants/{clientId}/rotate-secret',
  ]);
});

it('the page of errors escapes what is written on it', () => {
  const remedy = 'Use `<b>` & "quotes".';
  const page = errorPage({ odd: { kind: 'invalid', title: '<script>', remedy } });
  expect(page).toContain('<p class="title">&lt;script&gt;</p>');
  expect(page).toContain('Use <code>&lt;b&gt;</code> &amp; &quot;quotes&quot;.');
});

it('every link in the API document to a page of this service leads there', async () => {
  const text = await (await get('/openapi.json')).text();
  const paths = new Set([...text.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path = '']) => `/${path}`));
  expect(paths.size).toBeGreaterThan(0);
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

it('every sample of a call about a user names the user, so that it is not refused when it is pasted', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, Record<string, object>> };
  const operations = Object.values(paths).flatMap((path) => Object.values(path)) as {
    operationId: string;
    'x-codeSamples'?: { source: string }[];
  }[];
  const samples = operations.flatMap(({ operationId, 'x-codeSamples': [sample] = [] }) =>
    sample ? [[operationId, sample.source] as const] : [],
  );
  expect(samples.map(([operationId]) => operationId)).toEqual(expect.arrayContaining(['createOrder', 'getUser']));
  for (const [operationId, source] of samples)
    expect([operationId, source.endsWith('?userId=$USER_ID"')]).toEqual([operationId, true]);
});

it('every link and every fragment on the pages of text leads somewhere', async () => {
  const answers = new Map<string, Promise<{ status: number; text: string }>>();
  const read = async (path: string) => {
    const answer = await get(path);
    return { status: answer.status, text: await answer.text() };
  };
  const answerOf = (path: string) => {
    const known = answers.get(path) ?? read(path);
    answers.set(path, known);
    return known;
  };
  const texts = await Promise.all(pages.map(async (path) => ({ path, text: (await answerOf(path)).text })));
  for (const { path, text } of texts) {
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
    const lost = await Promise.all(
      links
        .filter((href) => !/^https?:/.test(href))
        .map(async (href) => {
          const { pathname, hash } = new URL(href, `${running.service.url}${path}`);
          const { status, text: target } = await answerOf(pathname);
          const isThere = hash === '' || target.includes(`id="${hash.slice(1)}"`);
          return status === 200 && isThere ? [] : [href];
        }),
    );
    expect([path, lost.flat()]).toEqual([path, []]);
    expect(links.length).toBeGreaterThan(3);
  }
});

it('every document that the index lists for a merchant is served', () => {
  const [, ofMerchants = ''] =
    readFileSync('docs/README.md', 'utf8').split('**For an operator**')[0]?.split('**For a merchant') ?? [];
  const listed = [...ofMerchants.matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name]) => `docs/${name}`);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter((file) => !guides.some((guide) => guide.file === file))).toEqual([]);
});

it('the reference says what its examples take for granted, in each language', async () => {
  for (const path of ['/docs/api.md', '/docs/api/users.md', '/docs/api/orders.md']) {
    const text = await (await get(path)).text();
    expect(text).toContain("import { Remesa } from '@remesa/client';");
    expect(text).toContain('import httpx');
    expect(text).toContain(
      `TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials ${running.service.url}/oauth`,
    );
  }
  expect(await (await get('/docs/api/payments-for-operators.md')).text()).toContain('/operator/login');
});

it.each(guides)('$name links only to what is served', ({ file, section }) => {
  const text = partOf(readFileSync(file, 'utf8'), section);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
  expect(text.length).toBeGreaterThan(1000);
  expect(links.filter((href) => addressOf(href) === undefined)).toEqual([]);
});

it('a guide shows raw HTML as text, leaves unsafe links out and keeps the ids of its sections', () => {
  const text =
    '## Your url\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <b>b</b> [c](webhooks.md#answer) [d](../README.md)';
  const page = guidePage({ name: 'kyc-form', title: 'Identity form' }, text);
  expect(page).toContain('<h2 id="your-url">Your url</h2>');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('&lt;b&gt;b&lt;/b&gt;');
  expect(page).toContain('<a href="webhooks#answer">c</a> d');
  expect(page).not.toMatch(/<script|javascript:|<b>/);
});

it('the changes are a page, Markdown, and a feed of what was released', async () => {
  const page = await (await get('/docs/changelog')).text();
  expect(page).toContain('<a href="changelog.atom">Feed of releases</a>');
  expect(page).toContain('<h1 id="changelog">Changelog</h1>');
  expect(await (await get('/docs/changelog.md')).text()).toBe(readFileSync('CHANGELOG.md', 'utf8'));
  const feed = await get('/docs/changelog.atom');
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(await feed.text()).toContain(`<link rel="self" href="${running.service.url}/docs/changelog.atom"/>`);
  const text = '# Changelog\n\n## [Unreleased] 0.2.0\n\nSoon.\n\n## [0.1.0] - 2026-12-01\n\n- **A** & <b>\n';
  const made = changelogFeed(text, 'https://pay.example', new Date(0));
  const { feed: parsed } = new XMLParser({ ignoreAttributes: false }).parse(made, true);
  expect([parsed.updated, parsed.entry.title, parsed.entry.updated]).toEqual([
    '2026-12-01T00:00:00Z',
    '0.1.0',
    '2026-12-01T00:00:00Z',
  ]);
  expect(parsed.entry.content['#text']).toBe('<ul>\n<li><strong>A</strong> &amp; &lt;b&gt;</li>\n</ul>');
});

it('the root leads a browser to the documentation, and tells a program that nothing is there', async () => {
  const forBrowser = await get('/', { accept: 'text/html,application/xhtml+xml' });
  expect([forBrowser.status, forBrowser.headers.get('location')]).toEqual([302, 'docs']);
  const forProgram = await get('/', { accept: 'application/json' });
  expect([forProgram.status, forProgram.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import { look, newApplicant, newFormAddress, plain, send } from './visiting.js';

const kyc = useKycService();

async function branded(settings: Record<string, unknown>): Promise<void> {
  const { rowCount } = await kyc.sql.query(
    `UPDATE merchants SET branding = coalesce($2::jsonb, branding), allowed_origins = coalesce($3, allowed_origins)
     WHERE merchant_id = $1`,
    [kyc.acme.merchant, settings.branding ? JSON.stringify(settings.branding) : null, settings.origins ?? null],
  );
  expect(rowCount).toBe(1);
}

async function pages() {
  const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
  const address = await newFormAddress(kyc, applicant);
  const { statusToken } = await submitted(kyc);
  const { url } = kyc.service;
  return {
    step: await look(`${address}/person`),
    faults: await send(`${address}/person`, {}),
    status: await look(`${url}/kyc/status/${statusToken}`),
    unknown: await look(`${url}/kyc/form/unknown`),
    failure: await send(`${url}/kyc/form`, {}, undefined, { 'content-type': 'text/plain' }),
  };
}

const own =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'sha256-HASH'; img-src 'self' data: blob:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors ANCESTORS";

describe('every page', () => {
  it('may load, run, send and be framed by nothing but what it needs', async () => {
    await branded({ branding: {}, origins: [] });
    for (const [name, { headers, html }] of Object.entries(await pages())) {
      const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers.get('content-security-policy'), name).toBe(
        own.replace('HASH', hash).replace('ANCESTORS', "'none'"),
      );
    }
  });

  it('is kept by no cache, found by no search engine, and tells no other site where the person was', async () => {
    for (const { headers } of Object.values(await pages())) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, nofollow',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(headers.get('set-cookie')).toBe(null);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('may be framed by the origins that the merchant registered, and no word of theirs changes the policy', async () => {
    const origins = [
      'https://shop.example',
      'http://localhost:8080',
      "https://x.example;script-src'unsafe-inline'",
      'https://y.example,*',
    ];
    await branded({ origins });
    const { step } = await pages();
    expect(step.headers.get('content-security-policy')).toMatch(
      /frame-ancestors https:\/\/shop\.example http:\/\/localhost:8080$/,
    );
    await branded({ origins: [] });
  });

  it('loads its style and script from its own origin, by ways that hold behind any proxy', async () => {
    const { step, status, faults } = await pages();
    for (const [{ html }, up] of [
      [step, '../../'],
      [faults, '../../'],
      [status, '../'],
    ] as const) {
      const loaded = [...html.matchAll(/<(?:link|script)[^>]+(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
      expect(loaded.length).toBeGreaterThan(3);
      for (const address of loaded) expect(address).toMatch(/^(data:|(\.\.\/)+assets\/[\w-]{16}\/[\w-]+\.(js|css)$)/);
      expect(loaded.find((address) => address?.endsWith('form.css'))?.startsWith(`${up}assets`)).toBe(true);
    }
  });
});

describe('what a page is made with', () => {
  it('is kept for good under its version, and not at all under another', async () => {
    const { step } = await pages();
    const path = /href="\.\.\/\.\.\/(assets\/[\w-]{16}\/form\.css)"/.exec(step.html)?.[1];
    const kept = await look(`${kyc.service.url}/kyc/${path}`);
    expect([kept.status, kept.headers.get('cache-control'), kept.headers.get('content-type')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'text/css; charset=utf-8',
    ]);
    const other = await look(`${kyc.service.url}/kyc/assets/0000000000000000/form.js`);
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

describe('the merchant', () => {
  it('is shown by name, colour and where to get help', async () => {
    await branded({
      branding: {
        displayName: 'Acme <Money>',
        color: '#ffee00',
        supportEmail: 'help@acme.example',
        supportUrl: 'https://acme.example/help',
      },
    });
    const { step } = await pages();
    expect(step.html).toContain('<span class="brand" dir="auto">Acme &lt;Money></span>');
    expect(step.html).toContain('--fill:');
    expect(plain(step.html)).toContain('Write to Acme <Money>: help@acme.example');
    expect(step.html).toContain('href="https://acme.example/help"');
  });

  it.each([
    ['https://acme.example/logo.png', false],
    ['//acme.example/logo.png', false],
    ['data:text/html,<script>alert(1)</script>', false],
    ['data:image/png;base64,iVBORw0KGgo=', true],
  ])('has the logo %s shown: %s', async (logoUrl, isShown) => {
    await branded({ branding: { logoUrl } });
    const { step } = await pages();
    expect(step.html.includes('<img')).toBe(isShown);
    expect(step.html.includes('acme.example')).toBe(false);
    await branded({ branding: {} });
  });
});

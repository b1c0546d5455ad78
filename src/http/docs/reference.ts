/** The page of the API reference. Scalar renders it, configured to use this origin only. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ConstantAnswer, constantAnswer } from '../answers/constant-answer.js';
import { html, icon } from '../answers/html.js';
import { type Route, raw } from '../route.js';

// Scalar writes its styles into the page, hence 'unsafe-inline' for styles; scripts come from files only.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Addresses are relative throughout: the service may stand behind any base address.
const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Remesa API reference</title>
${icon}
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. Without it, read <a href="openapi.json">openapi.json</a>,
<a href="docs/errors">the errors</a>, and the guides to <a href="docs/guides/kyc-form">the identity form</a>,
<a href="docs/guides/beneficiaries">beneficiaries</a>, <a href="docs/guides/orders">orders</a> and
<a href="docs/guides/webhooks">notifications</a>.</noscript>
<script src="docs/reference.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const start = `Scalar.createApiReference('#reference', {
  url: new URL('openapi.json', document.baseURI).href,
  servers: [{ url: new URL('.', document.baseURI).href.replace(/\\/$/, ''), description: 'This service' }],
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customCss:
    '.light-mode { --scalar-color-accent: #0b6b53; } .dark-mode { --scalar-color-accent: #6fd0b2; } ' +
    // On a phone, the button beside a long heading would be wider than the screen.
    '.section-header { overflow-x: clip; }',
  metaData: { title: 'Remesa API reference' },
});
`;

const require = createRequire(import.meta.url);
const scalarFolder = dirname(require.resolve('@scalar/fastify-api-reference'));

export function referenceRoutes(): Route[] {
  const contentType = 'text/javascript; charset=utf-8';
  return [
    file('/docs', 'getApiReference', {
      contentType: 'text/html; charset=utf-8',
      make: () => page.text,
      headers: { 'content-security-policy': contentSecurityPolicy },
    }),
    file('/docs/start.js', 'getApiReferenceStart', { contentType, make: () => start }),
    file('/docs/reference.js', 'getApiReferenceProgram', {
      contentType,
      make: () => readFile(join(scalarFolder, 'js', 'standalone.js')),
    }),
  ];
}

function file(path: string, operationId: string, answer: ConstantAnswer): Route {
  return raw({
    method: 'GET',
    access: { token: 'none' },
    tag: 'Documentation',
    summary: 'Part of the API reference',
    hidden: true,
    path,
    operationId,
    run: constantAnswer(answer),
  });
}

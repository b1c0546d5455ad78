/** The page that sends requests from the browser. Scalar renders it, configured to use this origin only. */
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
<title>Try the Remesa API</title>
${icon}
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The <a href="../docs">documentation</a> does not.</noscript>
<script src="../docs/reference.js"></script>
<script src="../docs/start.js"></script>
</body>
</html>
`;

const start = `Scalar.createApiReference('#reference', {
  url: new URL('../openapi.json', document.baseURI).href,
  servers: [{ url: new URL('..', document.baseURI).href.replace(/\\/$/, ''), description: 'This service' }],
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
  metaData: { title: 'Try the Remesa API' },
});
`;

const require = createRequire(import.meta.url);
const scalarFolder = dirname(require.resolve('@scalar/fastify-api-reference'));

export function tryRoutes(): Route[] {
  const contentType = 'text/javascript; charset=utf-8';
  return [
    file('/docs/try', 'getTryPage', {
      contentType: 'text/html; charset=utf-8',
      make: () => page.text,
      headers: { 'content-security-policy': contentSecurityPolicy },
    }),
    file('/docs/start.js', 'getTryPageStart', { contentType, make: () => start }),
    file('/docs/reference.js', 'getTryPageProgram', {
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
    summary: 'Part of the page that sends requests',
    hidden: true,
    path,
    operationId,
    run: constantAnswer(answer),
  });
}

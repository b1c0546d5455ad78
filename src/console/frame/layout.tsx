/** The frame of every page of the console: navigation, search, who is signed in, and what just happened. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageAnswer } from '../../http/page.js';
import type { Visitor } from '../visitor.js';
import { consoleAssets } from './assets.js';
import { pageHeaders } from './headers.js';
import { Icon } from './icons.js';
import { entryOf, navigation, type SavedView } from './navigation.js';
import { speculationPath } from './speculation.js';

export interface Framed {
  readonly title: string;
  readonly isSandbox: boolean;
  /** Undefined before signing in. */
  readonly visitor?: Visitor | undefined;
  /** The address of the page, which the navigation marks. */
  readonly address?: string;
  /** The filters of the page. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** How many requests of others wait for this operator's approval, as text: `50+`. */
  readonly pendingApprovals?: string | undefined;
  /** The request of the API that gives the same: `GET /operator/tasks`. */
  readonly sameAs?: string | undefined;
  /** The operator's own, and those that others share. */
  readonly views?: readonly SavedView[];
  readonly notice?: ComponentChildren;
  readonly searched?: string | undefined;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

const advance = { 'speculation-rules': `"${speculationPath}"` };

export function framed(page: Framed): PageAnswer {
  return {
    status: page.status ?? 200,
    html: `<!doctype html>${renderToString(<Page page={page} />)}`,
    headers: { ...pageHeaders, ...(page.visitor ? advance : {}), ...page.headers },
  };
}

/** Answers a form: the browser gets the page by a request of its own, so that reloading it sends nothing again. */
export function redirect(address: string, headers: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status: 303, headers: { ...pageHeaders, location: address, ...headers } };
}

function Page({ page }: { readonly page: Framed }) {
  const { title, visitor, isSandbox } = page;
  const [script, ...modules] = consoleAssets.scriptPaths;
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – Remesa${isSandbox ? ' sandbox' : ''}`}</title>
        <link rel="icon" href={iconOf(isSandbox)} />
        <link rel="stylesheet" href={`/console/${consoleAssets.stylePath}`} />
        {modules.map((path) => (
          <link key={path} rel="modulepreload" href={`/console/${path}`} />
        ))}
        <script type="module" src={`/console/${script}`} />
      </head>
      <body class={visitor ? 'signed-in' : 'signed-out'}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {isSandbox ? (
          <section class="sandbox" aria-label="Mode">
            Sandbox: no real money moves here.{' '}
            {visitor ? <a href="/console/sandbox">Clock, scenarios and faults</a> : null}
          </section>
        ) : null}
        {visitor ? <Top page={page} visitor={visitor} /> : null}
        <div class="columns">
          {visitor ? <Navigation page={page} /> : null}
          <main id="main" tabindex={-1}>
            {page.notice}
            {page.children}
            {page.sameAs ? <SameAs request={page.sameAs} /> : null}
          </main>
        </div>
        {visitor ? <Keys /> : null}
      </body>
    </html>
  );
}

function Top({ page, visitor }: { readonly page: Framed; readonly visitor: Visitor }) {
  const { login, role } = visitor.session;
  return (
    <header class="top">
      <a class="to-menu" href="#menu">
        <Icon name="menu" />
        Menu
      </a>
      <a class="brand" href="/console">
        Remesa
      </a>
      <search class="search">
        <form action="/console/search" method="post">
          <input type="hidden" name="formToken" value={visitor.formToken} />
          <label class="hidden" for="search">
            Find a name, an id, a reference, an amount or a payer
          </label>
          <Icon name="search" />
          <input id="search" name="q" type="search" maxlength={200} value={page.searched ?? ''} autocomplete="off" />
          <kbd>/</kbd>
        </form>
      </search>
      <a class="waiting" href="/console/approvals">
        Approvals
        {page.pendingApprovals ? <span class="count">{page.pendingApprovals}</span> : null}
      </a>
      <a class="who" href="/console/account" dir="auto">
        {login} <span class="role">{role}</span>
      </a>
      <form method="post" action="/console/sign-out">
        <input type="hidden" name="formToken" value={visitor.formToken} />
        <button class="quiet" type="submit">
          <Icon name="out" />
          Sign out
        </button>
      </form>
    </header>
  );
}

function Navigation({ page }: { readonly page: Framed }) {
  const current = entryOf(page);
  return (
    <nav class="side" id="menu" aria-label="Screens">
      <Views views={page.views ?? []} />
      {navigation.map(({ name, icon, entries }) => (
        <section key={name}>
          <p class="group">
            <Icon name={icon} />
            {name}
          </p>
          <ul>
            {entries.map(([label, address]) => (
              <li key={address}>
                <a href={address} aria-current={address === current ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Those that do not fit are on a page of their own. */
function Views({ views }: { readonly views: readonly SavedView[] }) {
  if (views.length === 0) return null;
  return (
    <section>
      <p class="group">
        <Icon name="search" />
        <a href="/console/views">Views</a>
      </p>
      <ul>
        {views.slice(0, 12).map(({ name, address }) => (
          <li key={`${name} ${address}`}>
            <a href={address}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SameAs({ request }: { readonly request: string }) {
  return (
    <p class="same-as">
      Same as <code data-copy="">{request}</code>
    </p>
  );
}

/** The script opens it with `?`. */
function Keys() {
  return (
    <dialog id="keys" aria-labelledby="keys-heading">
      <h2 id="keys-heading">Keys</h2>
      <dl>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>Next and previous row; Enter opens it</dd>
        <dt>
          <kbd>g</kbd> then <kbd>w</kbd> <kbd>a</kbd> <kbd>o</kbd> <kbd>s</kbd> <kbd>p</kbd> <kbd>k</kbd>
        </dt>
        <dd>Go to work, approvals, orders, suspense, payouts, KYC</dd>
        <dt>
          <kbd>+</kbd> <kbd>-</kbd> <kbd>r</kbd> <kbd>1</kbd>…<kbd>9</kbd>
        </dt>
        <dd>Document larger, smaller, turned; go to a document</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list. No key decides anything.</dd>
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function iconOf(isSandbox: boolean): string {
  const colour = isSandbox ? 'ab6400' : '0b6b53';
  return (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
    `%3Crect width='32' height='32' rx='7' fill='%23${colour}'/%3E` +
    "%3Cpath d='M7 12h15l-4-4M25 20H10l4 4' fill='none' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E"
  );
}

/** The page of a GET of the operators' API: a list, a record, or a download. */
import type { ComponentChildren } from 'preact';
import { RemesaError } from '../../errors.js';
import type { PageAnswer } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import { isAudited, type Route } from '../../http/route.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { prefetchRefused } from '../refusals.js';
import { isPrefetch } from '../same-origin.js';
import { besideList, formAddress, isList, mayCall, screenOf } from '../screens/finding.js';
import { isObject } from '../screens/schema.js';
import { apiQuery, Exports, Filters, List, NextPage } from '../shown/list.js';
import { RecordHeading, RecordView } from '../shown/record.js';
import { requestOf, type Visitor } from '../visitor.js';
import { exportFormatOf, exportList } from './exporting.js';

interface Reading {
  readonly desk: Desk;
  readonly route: Route;
  readonly visit: Seen;
  readonly visitor: Visitor;
}

/** Answers a page also for what is refused. */
export function readingPage(desk: Desk, route: Route, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      return await shown({ desk, route, visit, visitor });
    } catch (error) {
      if (error instanceof RemesaError) return refusedPage(desk, visitor, error, visit.path);
      throw error;
    }
  });
}

async function shown({ desk, route, visit, visitor }: Reading): Promise<PageAnswer> {
  const format = isList(route) ? exportFormatOf(visit.search) : undefined;
  if ((isAudited(route) || format) && isPrefetch(visit.headers)) throw prefetchRefused();
  const { calls } = desk.options;
  const params = (visit.params ?? {}) as Record<string, string>;
  const query = apiQuery(route, visit.search);
  const request = requestOf(visitor, { params, query });
  if (route.kind === 'stream') return { stream: await calls.stream(route, request) };
  if (format) return { stream: await exportList(desk, visitor, { format, route, params, query }) };
  const { value, next } = await calls.read(route, request);
  const { title } = screenOf(route);
  const frame = {
    title,
    address: visit.path,
    sameAs: `${route.method} ${filled(route.path, params)}${queryText(query)}`,
    notice: <Notice desk={desk} visit={visit} />,
  };
  if (isList(route)) {
    const rows = value as Record<string, unknown>[];
    return desk.framed(visitor, {
      ...frame,
      children: (
        <>
          <Heading title={title} desk={desk} visitor={visitor} route={route} params={params} />
          <Filters route={route} query={query} />
          <List routes={desk.routes} route={route} rows={rows} params={params} />
          <NextPage next={next} />
          {rows.length > 0 ? <Exports query={query} /> : null}
        </>
      ),
    });
  }
  const record = isObject(value) ? value : {};
  return desk.framed(visitor, {
    ...frame,
    children: (
      <>
        <RecordHeading title={title} value={record} />
        <Filters route={route} query={query} />
        <RecordView routes={desk.routes} route={route} value={record} params={params} caller={visitor.caller} />
      </>
    ),
  });
}

interface HeadingProps {
  readonly title: string;
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The heading of a list, with the commands that make something new. */
function Heading({ title, desk, visitor, route, params }: HeadingProps) {
  const commands = besideList(desk.routes, route).filter((command) => mayCall(visitor.caller, command));
  return (
    <header class="heading">
      <h1>{title}</h1>
      <p class="commands">
        {commands.map((command) => (
          <a key={command.operationId} class="button" href={formAddress(command, params)}>
            {command.summary}
          </a>
        ))}
      </p>
    </header>
  );
}

/** What the form before this page has done. Its text comes from the routes, never from the address. */
function Notice({ desk, visit }: { readonly desk: Desk; readonly visit: Seen }): ComponentChildren {
  const { done, asked } = visit.search;
  const command = typeof done === 'string' ? desk.options.calls.find(done) : undefined;
  if (!command) return null;
  if (typeof asked === 'string' && /^apr_[0-9A-Z]{26}$/.test(asked)) {
    return (
      <p class="notice waits" role="status">
        Nothing has changed yet: <a href={`/console/approvals/${asked}`}>your request waits</a> for a second operator. (
        {command.summary})
      </p>
    );
  }
  return (
    <p class="notice good" role="status">
      Done: {command.summary}.
    </p>
  );
}

export function refusedPage(desk: Desk, visitor: Visitor, error: RemesaError, address?: string): Promise<PageAnswer> {
  const { title, remedy } = desk.problem(error);
  return desk.framed(visitor, {
    title,
    status: statusOfKind[error.kind],
    ...(address === undefined ? {} : { address }),
    children: (
      <div class="refused">
        <h1>{title}</h1>
        <p>{error.publicMessage}</p>
        <p>{remedy}</p>
        <p class="hint">
          Code <code>{error.code}</code>, request <code data-copy={visitor.requestId}>{visitor.requestId}</code>
        </p>
      </div>
    ),
  });
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries as string[][])}`;
}

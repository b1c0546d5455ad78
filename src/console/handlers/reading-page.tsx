/** The page of a GET of the operators' API: a list, a record, or a download. */
import type { ComponentChildren } from 'preact';
import { RemesaError } from '../../errors.js';
import type { StreamedAnswer } from '../../http/answers/stream.js';
import type { PageAnswer } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import type { Route } from '../../http/route.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { SaveView } from '../forms/save-view.js';
import { RecordHeading, RecordView } from '../records/record.js';
import { actionOf, besideList, formAddress, isList, mayCall, requiredFilters, screenOf } from '../screens/finding.js';
import { fieldsOf, isObject, type Schema } from '../screens/schema.js';
import type { Part } from '../screens/screen.js';
import { apiQuery, Exports, Filters, filtersIn, List, NextPage } from '../shown/list.js';
import { pageOf } from '../shown/pages/pages.js';

import { proofOf, requestOf, type Visitor } from '../visitor.js';
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
  const { calls } = desk.options;
  const params = (visit.params ?? {}) as Record<string, string>;
  const query = apiQuery(route, visit.search);
  if (requiredFilters(route).some((name) => query[name] === undefined))
    return askPage({ desk, route, visit, visitor }, query);
  const request = requestOf(visitor, { params, query });
  if (route.kind === 'stream') return { stream: picturesInline(await calls.stream(route, request)) };
  if (format) return { stream: await exportList(desk, visitor, { format, route, params, query }) };
  const [{ value, next }, parts] = await Promise.all([
    calls.read(route, request),
    partsOf({ desk, route, visit, visitor }),
  ]);
  const { title } = screenOf(route);
  const own = pageOf(route.operationId);
  const shown = { params, parts, routes: desk.routes, visitor };
  const frame = {
    title,
    address: visit.path,
    query,
    sameAs: `${route.method} ${pathOf(route, params, query)}`,
    notice: <Notice desk={desk} route={route} visit={visit} visitor={visitor} />,
  };
  if (isList(route)) {
    const rows = value as Record<string, unknown>[];
    const filters = filtersIn(query);
    return desk.framed(visitor, {
      ...frame,
      children: (
        <>
          <Heading title={title} desk={desk} visitor={visitor} route={route} params={params} />
          {own ? <own.Page value={{}} items={rows} {...shown} actions={null} /> : null}
          <Filters route={route} query={query} />
          {Object.keys(filters).length > 0 ? (
            <SaveView path={pathOf(route, params, filters)} visitor={visitor} />
          ) : null}
          <List routes={desk.routes} route={route} rows={rows} params={params} visitor={visitor} />
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
        {hasChoice(route) ? <Filters route={route} query={query} /> : null}
        <RecordView route={route} value={record} {...shown} />
      </>
    ),
  });
}

/** Filters without which there is no record are part of its name. */
function hasChoice(route: Route): boolean {
  const required = requiredFilters(route);
  return fieldsOf(route.query as Schema | undefined).some(({ name }) => !required.includes(name));
}

/** A picture is looked at; everything else, such as a PDF, stays a download. */
function picturesInline(stream: StreamedAnswer): StreamedAnswer {
  const { mediaType = '', headers = {} } = stream;
  if (!/^image\/(jpeg|png)$/.test(mediaType)) return stream;
  const disposition = String(headers['content-disposition'] ?? 'inline').replace(/^attachment/, 'inline');
  return { ...stream, headers: { ...headers, 'content-disposition': disposition } };
}

/** What else the page shows, with the filters of the page that it takes. What the operator may not see is left out. */
async function partsOf({ desk, route, visit, visitor }: Reading): Promise<Record<string, unknown>> {
  const params = (visit.params ?? {}) as Record<string, string>;
  const wanted = Object.entries(screenOf(route).parts ?? {}).flatMap(([name, declared]) => {
    const part: Part = typeof declared === 'string' ? { operationId: declared } : declared;
    const read = desk.routes.find((each) => each.operationId === part.operationId);
    return read && read.kind === 'read' && mayCall(visitor.caller, read) ? [{ name, part, read }] : [];
  });
  const answers = wanted.map(async ({ name, part: { query: names = {}, constants }, read }) => {
    const filled = Object.entries(names).map(([filter, param]) => [filter, params[param]]);
    const query = { ...apiQuery(read, visit.search), ...constants, ...Object.fromEntries(filled) };
    const { value } = await desk.options.calls.read(read, requestOf(visitor, { params, query }));
    return [name, value] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** The page shows nothing without these filters, so it asks for them first. */
function askPage({ desk, route, visit, visitor }: Reading, query: Record<string, unknown>): Promise<PageAnswer> {
  const { title } = screenOf(route);
  return desk.framed(visitor, {
    title,
    address: visit.path,
    children: (
      <>
        <h1>{title}</h1>
        <p>Say what you want to see.</p>
        <Filters route={route} query={query} isOpen />
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

/** What the form before this page has done. Only this session can have written the proof. */
function Notice({ desk, route, visit, visitor }: Reading): ComponentChildren {
  const { done = '', as = '', asked = '', before = '', proof } = visit.search as Readonly<Record<string, string>>;
  const command = desk.options.calls.find(done);
  if (!command || proof !== proofOf(visitor, visit.path, { done, as, asked, before })) return null;
  const variant = actionOf(command, as)?.variant;
  if (/^apr_[0-9A-Z]{26}$/.test(asked)) {
    return (
      <p class="notice waits" role="status">
        Nothing has changed yet: <a href={`/console/approvals/${asked}`}>your request waits</a> for a second operator. (
        {command.summary})
      </p>
    );
  }
  return (
    <p class="notice good" role="status">
      Done: {variant ? `${command.summary}: ${variant.act}` : command.summary}.
      {before === '' ? null : (
        <>
          {' '}
          <a href={before}>The one before</a>. {isList(route) ? 'No other one waits for you.' : 'This is the next one.'}
        </>
      )}
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

/** As the API has it. */
function pathOf(
  route: Route,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): string {
  return `${filled(route.path, params)}${queryText(query)}`;
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries as string[][])}`;
}

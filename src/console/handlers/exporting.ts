/** The download of all that a list shows under its filters: as CSV, or as the API's own objects, one a line. */
import { csvLine } from '../../http/answers/csv.js';
import { attachment, type StreamedAnswer } from '../../http/answers/stream.js';
import { prefetchRefused } from '../../http/inside/operator-calls.js';
import type { Route } from '../../http/route.js';
import { instanceTenant } from '../../ids.js';
import type { Desk } from '../desk.js';
import { type Field, fieldsOf, isObject, plain, type Schema } from '../screens/schema.js';
import { requestOf, type Visitor } from '../visitor.js';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type Row = Readonly<Record<string, unknown>>;

export interface Export {
  readonly format: ExportFormat;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** The filters. */
  readonly query: Readonly<Record<string, unknown>>;
}

const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

/** Undefined for a page that is only shown. */
export function exportFormatOf(search: Readonly<Record<string, unknown>>): ExportFormat | undefined {
  return exportFormats.find((format) => format === search.export);
}

/** The log says who took which list. It has the names of the filters only, because their values may be personal. */
export async function exportList(desk: Desk, visitor: Visitor, asked: Export): Promise<StreamedAnswer> {
  const { format, route } = asked;
  if (visitor.isPrefetch) throw prefetchRefused();
  const { after: _, ...query } = asked.query;
  const filters = Object.keys(query).filter((name) => name !== 'limit');
  await desk.options.recordChange(
    { actor: visitor.caller, requestId: visitor.requestId },
    {
      merchantId: instanceTenant,
      action: 'list.exported',
      subject: `list:${route.operationId}`,
      details: { format, filters: filters.sort() },
    },
  );
  return {
    mediaType: mediaTypes[format],
    headers: attachment(`${route.operationId}.${format}`),
    chunks: linesOf(desk, visitor, { ...asked, query }),
  };
}

/** Page after page, so that a list of any length needs little memory. The first chunk has the first page. */
async function* linesOf(
  desk: Desk,
  visitor: Visitor,
  { format, route, params, query }: Export,
): AsyncGenerator<string> {
  const columns = columnsOf(route);
  const lineOf = (row: Row) =>
    format === 'csv' ? csvLine(columns.map((path) => cell(row, path))) : `${JSON.stringify(row)}\n`;
  let text = format === 'csv' ? csvLine(columns.map((path) => path.join('.'))) : '';
  let page: Readonly<Record<string, unknown>> | undefined = { ...longestPage(route), ...query };
  while (page) {
    const { value, next } = await desk.options.calls.read(route, requestOf(visitor, { params, query: page }));
    yield text + (value as Row[]).map(lineOf).join('');
    text = '';
    page = next && Object.fromEntries(next);
  }
}

function longestPage({ query }: Route): { readonly limit?: string } {
  const limit = (query as Schema | undefined)?.properties?.limit as { readonly maximum?: number } | undefined;
  return limit?.maximum === undefined ? {} : { limit: String(limit.maximum) };
}

/** The fields of a row, with those of the objects in it, such as `claim.by`. */
function columnsOf({ answer }: Route): string[][] {
  const within = (field: Field): string[][] => {
    const inner = fieldsOf(field.schema);
    return inner.length === 0 ? [[field.name]] : inner.flatMap(within).map((path) => [field.name, ...path]);
  };
  return fieldsOf(plain((answer as Schema | undefined)?.items ?? {})).flatMap(within);
}

function cell(row: Row, path: readonly string[]): string {
  const value = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), row);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What is well and what is not, in one look: each line says since when, and leads to where it is mended. */
import type { PageAnswer } from '../../http/page.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { isCommand, mayCall } from '../screens/finding.js';
import { isObject, rows } from '../screens/schema.js';
import { Time } from '../shown/value.js';
import { stateWords } from '../shown/words.js';
import { requestOf, type Visitor } from '../visitor.js';

type Row = Readonly<Record<string, unknown>>;

interface Line {
  readonly isWell: boolean;
  readonly what: string;
  readonly says: string;
  readonly since?: unknown;
  readonly address: string;
}

export function healthPage(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    const lines = (await Promise.all(sources.map((source) => source(reader(desk, visitor))))).flat();
    const ill = lines.filter(({ isWell }) => !isWell);
    return desk.framed(visitor, {
      title: 'Health',
      address: visit.path,
      children: (
        <>
          <h1>Health</h1>
          <p class={ill.length === 0 ? 'notice good' : 'notice bad'}>
            {ill.length === 0
              ? 'All is well, as far as this page looks.'
              : `${ill.length} of ${lines.length} lines need somebody.`}
          </p>
          <ul class="health">
            {[...ill, ...lines.filter(({ isWell }) => isWell)].map((line) => (
              <li key={`${line.what} ${line.says}`}>
                <span class={`state ${line.isWell ? 'good' : 'bad'}`}>{line.isWell ? 'well' : 'look'}</span>
                <a href={line.address}>{line.what}</a>
                <span>
                  <bdi>{line.says}</bdi>
                  {typeof line.since === 'string' ? (
                    <>
                      {' '}
                      <Time at={line.since} />
                    </>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
          <p class="hint">
            Metrics and alarms for machines: <code>GET /metrics</code>. The state of processes: <code>GET /readyz</code>
            .
          </p>
        </>
      ),
    });
  });
}

type Read = (operationId: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;

/** Reads all pages of a list. What the operator may not see is left out. */
function reader(desk: Desk, visitor: Visitor): Read {
  return async (operationId, query = {}) => {
    const route = desk.options.calls.find(operationId);
    if (!route || isCommand(route) || !mayCall(visitor.caller, route)) return undefined;
    const { value, next } = await desk.options.calls.read(route, requestOf(visitor, { query }));
    if (!Array.isArray(value)) return value;
    const items: unknown[] = value;
    for (let after = next; after; ) {
      const page = await desk.options.calls.read(route, requestOf(visitor, { query: Object.fromEntries(after) }));
      items.push(...(page.value as unknown[]));
      after = page.next;
    }
    return items;
  };
}

const sources: readonly ((read: Read) => Promise<Line[]>)[] = [work, ledger, lists, rates, urls, balances, pauses];

async function work(read: Read): Promise<Line[]> {
  const late = rows(await read('countTasks')).filter(({ overdue }) => Number(overdue) > 0);
  if (late.length === 0) return [{ isWell: true, what: 'Work', says: 'Nothing is overdue.', address: '/console' }];
  return late.map(({ kind, overdue, oldestSince }) => ({
    isWell: false,
    what: 'Work',
    says: `${stateWords(String(kind))}: ${String(overdue)} overdue, the oldest since`,
    since: oldestSince,
    address: `/console?${new URLSearchParams({ kind: String(kind), overdue: 'yes' })}`,
  }));
}

async function ledger(read: Read): Promise<Line[]> {
  const status = await read('getLedgerStatus');
  if (!isObject(status)) return [];
  const { fault, faultAt, verified, journals, verifiedAt } = status;
  const address = '/console/ledger';
  if (fault) return [{ isWell: false, what: 'Ledger', says: `${String(fault)}, found`, since: faultAt, address }];
  const says = `${String(verified)} of ${String(journals)} journals of the instance verified`;
  return [{ isWell: true, what: 'Ledger', says, since: verifiedAt, address }];
}

async function lists(read: Read): Promise<Line[]> {
  const found = rows(await read('listScreeningLists'));
  const address = '/console/screening/lists';
  if (found.length === 0)
    return [{ isWell: false, what: 'Screening lists', says: 'No list is configured: nobody is cleared.', address }];
  return found.map(({ name, state, lastError, loadedAt, entries }) => ({
    isWell: state === 'ok' && !isObject(lastError),
    what: 'Screening lists',
    says: isObject(lastError)
      ? `${String(name)}: ${String(lastError.message)}`
      : `${String(name)}: ${stateWords(String(state))}, ${String(entries)} entries, loaded`,
    since: isObject(lastError) ? lastError.at : loadedAt,
    address,
  }));
}

async function rates(read: Read): Promise<Line[]> {
  const board = await read('getRateBoard');
  if (!isObject(board)) return [];
  const address = '/console/rates';
  const held = rows(board.held).length + rows(board.heldCorridors).length;
  return [
    ...rows(board.sources).map(({ name, failingSince, fault, checkedAt }) => ({
      isWell: failingSince === undefined,
      what: 'Rate sources',
      says: failingSince === undefined ? `${String(name)}: asked` : `${String(name)}: ${String(fault)}, failing since`,
      since: failingSince ?? checkedAt,
      address,
    })),
    ...(held > 0 ? [{ isWell: false, what: 'Held rates', says: `${held} wait for a decision.`, address }] : []),
  ];
}

async function urls(read: Read): Promise<Line[]> {
  const ill = rows(await read('listWebhooksForOperators', { limit: '200' })).filter(
    ({ status, failingSince }) => status === 'disabled' || failingSince !== undefined,
  );
  if (ill.length === 0)
    return [{ isWell: true, what: 'Webhooks', says: 'Every url answers.', address: '/console/webhooks' }];
  return ill.map(({ clientId, channel, status, failingSince, disabledAt, pending }: Row) => ({
    isWell: false,
    what: 'Webhooks',
    says: `${String(clientId)}, ${String(channel)}: ${status === 'disabled' ? 'disabled' : 'failing'}, ${String(pending)} waiting, since`,
    since: failingSince ?? disabledAt,
    address: `/console/webhooks?${new URLSearchParams({ clientId: String(clientId) })}`,
  }));
}

async function balances(read: Read): Promise<Line[]> {
  const address = '/console/bank-balances';
  const ill = rows(await read('listBankBalances')).filter(({ differsSince, lowSince }) => differsSince ?? lowSince);
  if (ill.length === 0)
    return [
      { isWell: true, what: 'Bank balances', says: 'None differs from its statement, and none is low.', address },
    ];
  return ill.map(({ account, differsSince, lowSince }) => ({
    isWell: false,
    what: 'Bank balances',
    says: `${String(account)} ${differsSince ? 'differs from its statement' : 'is low'} since`,
    since: differsSince ?? lowSince,
    address,
  }));
}

async function pauses(read: Read): Promise<Line[]> {
  return rows(await read('listPauses')).map(({ kind, name, note, pausedAt }) => ({
    isWell: false,
    what: 'Pauses',
    says: `${stateWords(String(kind))} ${String(name)} is paused: ${String(note)}`,
    since: pausedAt,
    address: '/console/pauses',
  }));
}

/** A node that demands a second operator for everything, with two admins, two reviewers and a viewer. */
import type pg from 'pg';
import { beforeAll } from 'vitest';
import { oneInstance, operatorTokens, type Running, startNode, stopNodesAfterAll } from '../harness/access.js';
import type { Answer, Ask } from '../harness/api.js';
import { useTestDatabase } from '../harness/test-database.js';
import { plainTerms } from '../rates/quoting.js';

export const operators = {
  ana: 'admin',
  ben: 'admin',
  rita: 'reviewer',
  rob: 'reviewer',
  vic: 'viewer',
} as const;
export type Login = keyof typeof operators;

export interface ApprovalsTest {
  readonly node: Running;
  readonly sql: pg.Pool;
  readonly url: string;
  readonly token: (login: Login) => string;
  readonly as: (login: Login, method: string, path: string, ask?: Ask) => Promise<Answer>;
  /** Asks to change the margin of a corridor, which needs a second operator. */
  readonly askMargin: (margin: number, corridor?: string, login?: Login, key?: string) => Promise<Answer>;
  readonly decide: (login: Login, id: string, verb?: 'approve' | 'withdraw', key?: string) => Promise<Answer>;
  readonly refuse: (login: Login, id: string) => Promise<Answer>;
  readonly file: (id: string, login?: Login) => Promise<Answer>;
  readonly corridor: (
    name?: string,
  ) => Promise<{ marginBasisPoints: number; version: number; isOpen: boolean; pendingApproval?: object }>;
}

export function useApprovals(settings: Record<string, string> = {}): ApprovalsTest {
  stopNodesAfterAll();
  const { url, sql } = useTestDatabase();
  let tokens: Partial<Record<Login, string>> = {};
  let node: Running | undefined;
  beforeAll(async () => {
    node = await startNode(url, { settings: { ...oneInstance, FOUR_EYES: 'all', ...settings } });
    tokens = await operatorTokens(node, operators);
  });
  const token = (login: Login) => tokens[login] ?? '';
  const as: ApprovalsTest['as'] = (login, method, path, ask = {}) =>
    (node as Running).api.call(method, path, { token: token(login), ...ask });
  return {
    get node() {
      return node as Running;
    },
    ...{ sql, url, token, as },
    askMargin: (margin, corridor = 'USD/MXN', login = 'ana', key) =>
      as(login, 'PUT', `/operator/corridors/${corridor}`, {
        body: { ...plainTerms, marginBasisPoints: margin },
        ...(key === undefined ? {} : { key }),
      }),
    decide: (login, id, verb = 'approve', key) =>
      as(login, 'POST', `/operator/approvals/${id}/${verb}`, key === undefined ? {} : { key }),
    refuse: (login, id) =>
      as(login, 'POST', `/operator/approvals/${id}/refuse`, { body: { reason: 'Not as we agreed.' } }),
    file: (id, login = 'ben') => as(login, 'GET', `/operator/approvals/${id}`),
    async corridor(name = 'USD/MXN') {
      const { json } = await as('vic', 'GET', '/operator/corridors');
      return json.find(({ fiatIn, fiatOut }: { fiatIn: string; fiatOut: string }) => `${fiatIn}/${fiatOut}` === name);
    },
  };
}

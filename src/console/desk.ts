/** What the pages of the console share: the calls of the API, sessions, and the texts of errors. */
import type { By } from '../caller.js';
import type { NewChange } from '../changes/change.js';
import { RemesaError } from '../errors.js';
import type { OperatorCalls } from '../http/inside/operator-calls.js';
import type { PageAnswer, Visit } from '../http/page.js';
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import type { AnyCall, Route } from '../http/route.js';
import type { OperatorLogin } from '../operators/login.js';
import { lacksSecondFactor } from '../operators/operator.js';
import type { SecondFactors } from '../operators/second-factor/second-factors.js';
import type { OperatorSessions } from '../operators/sessions/service.js';
import type { Queryable } from '../postgres/statement.js';
import type { SessionCookie } from './cookie.js';
import { type Framed, framed, redirect } from './frame/layout.js';
import type { SavedView } from './frame/navigation.js';
import { mayCall, operatorRoutes } from './screens/finding.js';
import { addressOfValue } from './shown/links.js';
import { requestOf, type Visitor, Visitors } from './visitor.js';

export interface DeskOptions {
  readonly calls: OperatorCalls;
  readonly sessions: OperatorSessions;
  readonly secondFactors: SecondFactors;
  readonly login: OperatorLogin;
  readonly cookie: SessionCookie;
  readonly problems: ProblemCatalogue;
  readonly mode: 'sandbox' | 'live';
  readonly publicUrl: () => string;
  /** In a transaction of its own. */
  readonly recordChange: (by: By, change: NewChange) => Promise<void>;
}

export type Seen = AnyCall & Visit;

/** What is around each page. */
interface Head {
  /** How many requests wait, other than the operator's own. */
  readonly pendingApprovals: string | undefined;
  readonly views: readonly SavedView[];
}

/** How long it is not read again. */
const headForMs = 5000;
const mostKnown = 1000;

export class Desk {
  readonly routes: readonly Route[];
  readonly visitors: Visitors;
  readonly #heads = new Map<bigint, Head & { readonly atMs: number }>();

  constructor(readonly options: DeskOptions) {
    this.routes = operatorRoutes(options.calls.routes);
    this.visitors = new Visitors(options);
  }

  get isSandbox(): boolean {
    return this.options.mode === 'sandbox';
  }

  /** An admin of a live instance has to set up a second factor before anything else. */
  lacksSecondFactor({ session }: Visitor): boolean {
    return lacksSecondFactor(this.options.mode, session);
  }

  /** The page for a signed-in operator, or the way to sign in. */
  async show(visit: Seen, database: Queryable, page: (visitor: Visitor) => Promise<PageAnswer>): Promise<PageAnswer> {
    const visitor = await this.visitors.find(visit, database);
    if (!visitor) return redirect(signInAddress(visit));
    if (this.lacksSecondFactor(visitor)) return redirect('/console/account/second-factor');
    return page(visitor);
  }

  /** A page with what every page of a signed-in operator shows, as far as that can be read. */
  async framed(
    visitor: Visitor,
    page: Omit<Framed, 'isSandbox' | 'visitor' | 'pendingApprovals' | 'views'>,
  ): Promise<PageAnswer> {
    const { pendingApprovals, views } = await this.#headIfRead(visitor);
    return framed({ ...page, isSandbox: this.isSandbox, visitor, pendingApprovals, views });
  }

  problem(error: RemesaError): { title: string; remedy: string } {
    const { title = 'This was refused', remedy = '' } = this.options.problems[error.code] ?? {};
    return { title, remedy };
  }

  /** What the page itself says, such as a new secret, does not depend on it. */
  async #headIfRead(visitor: Visitor): Promise<Head> {
    try {
      return await this.#headFor(visitor);
    } catch (error) {
      if (error instanceof RemesaError) return { pendingApprovals: undefined, views: [] };
      throw error;
    }
  }

  /** What is around each page. A few seconds old, so that no page reads it all anew. */
  async #headFor(visitor: Visitor): Promise<Head> {
    const id = visitor.session.sessionId;
    const known = this.#heads.get(id);
    if (known && performance.now() - known.atMs < headForMs) return known;
    const [pendingApprovals, views] = await Promise.all([this.#countPending(visitor), this.#listViews(visitor)]);
    if (this.#heads.size >= mostKnown) this.#heads.clear();
    const head = { atMs: performance.now(), pendingApprovals, views };
    this.#heads.set(id, head);
    return head;
  }

  async #listViews(visitor: Visitor): Promise<readonly SavedView[]> {
    const { calls } = this.options;
    const route = calls.find('listViews');
    if (!route || !mayCall(visitor.caller, route)) return [];
    const { value } = await calls.read(route, requestOf(visitor));
    return (value as { name: string; path: string }[]).flatMap(({ name, path }) => {
      const address = addressOfValue('path', path);
      return address === undefined ? [] : [{ name, address }];
    });
  }

  /** After a command, the next page reads it again. */
  forgetHead({ session }: Visitor): void {
    this.#heads.delete(session.sessionId);
  }

  async #countPending(visitor: Visitor): Promise<string | undefined> {
    const { calls } = this.options;
    const route = calls.find('listApprovals');
    if (!route || !mayCall(visitor.caller, route)) return undefined;
    const { value } = await calls.read(route, requestOf(visitor, { query: { limit: '50' } }));
    const others = (value as { requestedBy: string }[]).filter(
      ({ requestedBy }) => requestedBy !== visitor.session.login,
    );
    if (others.length === 0) return undefined;
    return others.length === 50 ? '50+' : String(others.length);
  }
}

/** After signing in, the operator comes back to the page. */
function signInAddress({ path, search }: Visit): string {
  if (path === '/console') return '/console/sign-in';
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
  const address = query.size === 0 ? path : `${path}?${query}`;
  return `/console/sign-in?${new URLSearchParams({ next: address })}`;
}

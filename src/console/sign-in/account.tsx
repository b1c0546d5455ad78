/** The operator's own account: browsers that are signed in, the password, and the second factor. */

import { RemesaError } from '../../errors.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import { isWrongCode } from '../../operators/second-factor/second-factors.js';
import { appAddress, base32 } from '../../operators/second-factor/totp.js';
import { choosePassword } from '../../operators/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { redirect } from '../frame/layout.js';
import { checkFormToken, type Visitor } from '../visitor.js';
import { AccountPage, Bad, Done, RemoveFactor, SetFactor } from './account-pages.js';
import { newPasswordOf, noFile } from './handlers.js';

type Fields = ReadonlyMap<string, string>;

export class AccountHandlers {
  constructor(readonly desk: Desk) {}

  show(visit: Seen, database: Queryable): Promise<PageAnswer> {
    return this.desk.show(visit, database, (visitor) => this.#page(visitor, visit, database));
  }

  endSession(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    return this.#change(visit, database, async (visitor, fields) => {
      const { sessions } = this.desk.options;
      const by = { actor: visitor.caller, requestId: visit.requestId };
      const chosen = fields.get('session') ?? '';
      await visit.change((tx) =>
        chosen === 'others'
          ? sessions.endAllOthers(tx, by, visitor.session)
          : sessions.endOther(tx, by, visitor.session.operatorId, BigInt(/^\d{1,18}$/.test(chosen) ? chosen : 0)),
      );
      return redirect('/console/account?done=session');
    });
  }

  changePassword(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    return this.#change(visit, database, async (visitor, fields) => {
      const { login, cookie } = this.desk.options;
      const { address, requestId } = visit;
      const newPassword = newPasswordOf(fields);
      if (newPassword === undefined) throw new RemesaError('invalid', 'invalid_fields', 'Choose a new password.');
      const chosen = await login.checkCurrent(
        visitor.session,
        { password: fields.get('ownPassword') ?? '', address, requestId },
        newPassword,
      );
      const by = { actor: visitor.caller, requestId };
      await visit.change((tx) => choosePassword(tx, by, visitor.session, chosen));
      // All sessions have ended, this one too.
      return redirect('/console/sign-in', { 'set-cookie': cookie.clear() });
    });
  }

  /** Outside of `Desk.show`, which leads admins without a second factor here. */
  async showSecondFactor(visit: Seen, database: Queryable): Promise<PageAnswer> {
    const visitor = await this.desk.visitors.find(visit, database);
    return visitor ? this.#secondFactorPage(visitor) : redirect('/console/sign-in');
  }

  async setSecondFactor(visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
    const visitor = await this.desk.visitors.find(visit, database);
    if (!visitor) return redirect('/console/sign-in');
    const { secondFactors, login, sessions } = this.desk.options;
    const { session } = visitor;
    const { requestId, address } = visit;
    let secret: Buffer | undefined;
    try {
      this.desk.visitors.refuseOtherOrigins(visit);
      const { fields } = await visit.readForm(noFile);
      checkFormToken(visitor, fields);
      secret = secondFactors.openFromForm(fields.get('secret') ?? '', session.operatorId);
      await login.confirm(session, { password: fields.get('ownPassword') ?? '', requestId, address });
      const by = { actor: visitor.caller, requestId };
      const code = (fields.get('code') ?? '').slice(0, 20);
      await visit.change((tx) => this.#save(tx, by, { session, secret, code }));
      return redirect('/console/account?done=second-factor');
    } catch (error) {
      if (!(error instanceof RemesaError)) throw error;
      // Somebody at an open session may try codes, to take the second factor away.
      if (isWrongCode(error) && session.hasSecondFactor)
        await visit.change((tx) => sessions.noteWrongCode(tx, visitor.secret, visit));
      return this.#secondFactorPage(visitor, secret, error);
    }
  }

  async #save(
    tx: Parameters<Parameters<Posted['change']>[0]>[0],
    by: { actor: Visitor['caller']; requestId: string },
    entered: { session: Visitor['session']; secret: Buffer | undefined; code: string },
  ): Promise<void> {
    const { secondFactors } = this.desk.options;
    const { session, secret, code } = entered;
    if (session.hasSecondFactor) return secondFactors.remove(tx, by, session.operatorId, code);
    if (!secret) throw new RemesaError('invalid', 'invalid_fields', 'Open the page again and begin anew.');
    return secondFactors.confirm(tx, by, session.operatorId, { secret, code });
  }

  #change(
    visit: Seen & Posted,
    database: Queryable,
    work: (visitor: Visitor, fields: Fields) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    return this.desk.show(visit, database, async (visitor) => {
      try {
        this.desk.visitors.refuseOtherOrigins(visit);
        const { fields } = await visit.readForm(noFile);
        checkFormToken(visitor, fields);
        return await work(visitor, fields);
      } catch (error) {
        if (!(error instanceof RemesaError)) throw error;
        return this.#page(visitor, visit, database, error);
      }
    });
  }

  async #page(visitor: Visitor, visit: Seen, database: Queryable, error?: RemesaError): Promise<PageAnswer> {
    const sessions = await this.desk.options.sessions.list(database, visitor.session.operatorId);
    return this.desk.framed(visitor, {
      title: 'Your account',
      status: error ? statusOfKind[error.kind] : 200,
      notice: error ? <Bad error={error} /> : <Done what={visit.search.done} />,
      children: <AccountPage visitor={visitor} sessions={sessions} />,
    });
  }

  #secondFactorPage(visitor: Visitor, known?: Buffer, error?: RemesaError): Promise<PageAnswer> {
    const { secondFactors } = this.desk.options;
    const { operatorId, login, hasSecondFactor } = visitor.session;
    const secret = known ?? secondFactors.newSecret();
    return this.desk.framed(visitor, {
      title: 'Second factor',
      status: error ? statusOfKind[error.kind] : 200,
      notice: error ? <Bad error={error} /> : null,
      children: hasSecondFactor ? (
        <RemoveFactor visitor={visitor} />
      ) : (
        <SetFactor
          visitor={visitor}
          isDemanded={this.desk.lacksSecondFactor(visitor)}
          secret={base32(secret)}
          sealed={secondFactors.sealForForm(secret, operatorId)}
          address={appAddress(secret, login)}
        />
      ),
    });
  }
}

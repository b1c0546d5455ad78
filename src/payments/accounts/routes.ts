/** Routes for operators: the accounts that senders pay to. */
import Type, { type Static } from 'typebox';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { accountFaults } from './payin-account.js';
import { AccountPath, AccountShape, ChangedAccountShape, NewAccountShape } from './schemas.js';
import { type PayinAccountService, recordOf, type ShownAccount } from './service.js';

const described = { tag: 'Payments for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = {
  ...described,
  access: { token: 'operator', role: 'admin' },
  // Accounts are the operator's, whichever merchant's orders are paid there.
  subject: 'instance',
} as const;

export function payinAccountRoutes(accounts: PayinAccountService, findPending: FindPending): Route[] {
  return [listRoute(accounts, findPending), createRoute(accounts), changeRoute(accounts)];
}

function listRoute(accounts: PayinAccountService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/payin-accounts',
    operationId: 'listPayinAccounts',
    summary: 'List the accounts that senders pay to',
    returns: 'All accounts, disabled ones included.',
    answer: Type.Array(AccountShape),
    async run(_call, database) {
      const found = await accounts.list(database);
      const pending = await findPending(
        database,
        found.map(({ account }) => recordOf(account)),
      );
      return found.map((shown) => ({
        ...encode(shown),
        ...pendingField(pending.get(recordOf(shown.account))),
      }));
    },
  });
}

function createRoute(accounts: PayinAccountService): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/payin-accounts',
    operationId: 'createPayinAccount',
    summary: 'Add an account that senders pay to',
    description:
      'It is one of our bank accounts with the use `payin`, of the same currency and owner. A new order names the merchant’s own account for its currency, or else a shared one. If there are several, it names the oldest.',
    returns: 'The account.',
    fourEyes: {
      action: 'payin_account.save',
      review: (call, tx) => accounts.review(tx, call.body),
    },
    body: NewAccountShape,
    inspect: accountFaults,
    answer: AccountShape,
    refusals: ['merchant_not_found', 'payin_account_exists'],
    async run(call, tx) {
      const { merchant, ...account } = call.body;
      return encode(await accounts.create(tx, call.by, { ...account, merchant }));
    },
  });
}

function changeRoute(accounts: PayinAccountService): Route {
  return command({
    ...forAdmins,
    method: 'PUT',
    path: '/operator/payin-accounts/{accountId}',
    operationId: 'changePayinAccount',
    summary: 'Change or disable an account that senders pay to',
    description:
      'Existing orders keep the account that they named. Currency and owner never change. Disabling never waits for a second operator.',
    returns: 'The account after the change.',
    fourEyes: {
      action: 'payin_account.save',
      review: (call, tx) => accounts.review(tx, { ...call.body, ...call.params }),
      before: async (call, tx) =>
        encode({ account: await accounts.get(tx, call.params.accountId), clientId: undefined }),
    },
    params: AccountPath,
    body: ChangedAccountShape,
    inspect: accountFaults,
    answer: AccountShape,
    refusals: ['payin_account_not_found', 'version_conflict', 'ledger_fault'],
    async run(call, tx) {
      const { version, ...terms } = call.body;
      return encode(await accounts.change(tx, call.by, { ...terms, ...call.params, version }));
    },
  });
}

function encode({ account, clientId }: ShownAccount): Static<typeof AccountShape> {
  const { accountId, currency, holder, bankName, country, timeZone, details, isEnabled, version } = account;
  const merchant = clientId ?? null;
  return {
    accountId,
    currency,
    merchant,
    holder,
    bankName,
    country,
    timeZone,
    details: { ...details },
    isEnabled,
    version,
  };
}

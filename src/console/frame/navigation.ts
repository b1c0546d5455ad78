/** The lists that the navigation leads to. Pure. */
import type { IconName } from './icons.js';

export interface NavigationGroup {
  readonly name: string;
  readonly icon: IconName;
  readonly entries: readonly (readonly [label: string, address: string])[];
}

export const navigation: readonly NavigationGroup[] = [
  {
    name: 'Work',
    icon: 'work',
    entries: [
      ['Tasks', '/console'],
      ['Approvals', '/console/approvals'],
    ],
  },
  {
    name: 'Orders',
    icon: 'orders',
    entries: [
      ['All orders', '/console/orders'],
      ['In review', '/console/orders/reviews'],
      ['Not moving', '/console/orders/stuck'],
      ['Review rules', '/console/rules'],
    ],
  },
  {
    name: 'People',
    icon: 'people',
    entries: [
      ['KYC cases', '/console/kyc'],
      ['Find a person', '/console/do/searchPeople'],
      ['Screening hits', '/console/screening/hits'],
      ['Screening lists', '/console/screening/lists'],
      ['Rescreening', '/console/screening/runs'],
      ['Cases', '/console/cases'],
      ['Alerts', '/console/alerts'],
      ['Monitoring rules', '/console/monitoring/rules'],
      ['Block list', '/console/blocks'],
      ['Complaints', '/console/complaints'],
      ['Legal holds', '/console/holds'],
    ],
  },
  {
    name: 'Money',
    icon: 'money',
    entries: [
      ['Payments', '/console/payments'],
      ['Imports', '/console/payments/imports'],
      ['Suspense', '/console/suspense'],
      ['To pay by hand', '/console/payouts?waitsFor=instruction'],
      ['Instructed', '/console/payouts?waitsFor=debit'],
      ['Payouts', '/console/payouts'],
      ['Open reports', '/console/payout-reports'],
      ['Batches for banks', '/console/bank/batches'],
      ['Answers of banks', '/console/bank/answers'],
      ['Files of banks', '/console/bank/files'],
      ['Recalls', '/console/bank/recalls'],
      ['Pauses', '/console/pauses'],
    ],
  },
  {
    name: 'Prices',
    icon: 'rates',
    entries: [
      ['Corridors', '/console/corridors?isOpen=true'],
      ['Rates', '/console/rates'],
    ],
  },
  {
    name: 'Books',
    icon: 'books',
    entries: [
      ['Trial balance', '/console/ledger/trial-balance'],
      ['Accounts', '/console/ledger/accounts'],
      ['Journals', '/console/ledger/journals'],
      ['Treasury entry', '/console/do/bookTreasuryEntry'],
      ['Day report', '/console/reports/day'],
      ['Bank accounts', '/console/bank/accounts'],
      ['Bank balances', '/console/bank-balances'],
      ['Pay-in accounts', '/console/payin-accounts'],
      ['Obligations', '/console/obligations'],
    ],
  },
  {
    name: 'Merchants',
    icon: 'merchants',
    entries: [
      ['Merchants', '/console/merchants'],
      ['Webhooks', '/console/webhooks'],
    ],
  },
  {
    name: 'Instance',
    icon: 'instance',
    entries: [
      ['Health', '/console/health'],
      ['Licensee', '/console/licensee'],
      ['Countries', '/console/countries'],
      ['Audit log', '/console/audit'],
      ['Operators', '/console/operators'],
      ['Signing keys', '/console/keys'],
      ['Mails', '/console/mails'],
      ['All commands', '/console/commands'],
    ],
  },
];

/** A list with its filters under a name. */
export interface SavedView {
  readonly name: string;
  readonly address: string;
}

/** The entry that says most about a page. */
export function entryOf({
  address,
  query = {},
}: {
  readonly address?: string | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
}): string | undefined {
  const fitting = navigation
    .flatMap(({ entries }) => entries.map(([, entry]) => entry))
    .filter((entry) => {
      const [path, search = ''] = entry.split('?');
      return (
        path === address && [...new URLSearchParams(search)].every(([name, value]) => String(query[name]) === value)
      );
    });
  return fitting.sort((one, other) => other.length - one.length)[0];
}

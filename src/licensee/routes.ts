/** Routes for operators: who holds the licence. */
import type { Static } from 'typebox';
import { type FindPending, pendingField } from '../http/four-eyes.js';
import { command, type Route, read } from '../http/route.js';
import type { Licensee, StoredLicensee } from './licensee.js';
import { LicenseeBody, StoredLicenseeShape } from './schemas.js';
import { findLicensee, licenseeRecord, replaceLicensee } from './service.js';

const described = { tag: 'Compliance for operators', path: '/operator/licensee' } as const;

export interface LicenseeRouteOptions {
  readonly findPending: FindPending;
  /** Makes this process know the change before the answer is sent. */
  readonly refresh: () => Promise<void>;
}

export function licenseeRoutes({ findPending, refresh }: LicenseeRouteOptions): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      operationId: 'getLicensee',
      summary: 'Get the licensee',
      description: 'Who moves the money by law, as forms, receipts and disclosures name it.',
      returns: 'The record, or null when nobody has entered it.',
      access: { token: 'operator', role: 'viewer' },
      answer: StoredLicenseeShape,
      async run(_call, database) {
        const pending = await findPending(database, [licenseeRecord]);
        return { ...encode(await findLicensee(database)), ...pendingField(pending.get(licenseeRecord)) };
      },
    }),
    command({
      ...described,
      method: 'PUT',
      operationId: 'saveLicensee',
      summary: 'Enter or change the licensee',
      description:
        'Takes effect at once on all pages. A live instance takes no orders before. Needs a second operator, because every customer is told this.',
      returns: 'The record after the change.',
      access: { token: 'operator', role: 'admin' },
      subject: 'instance',
      fourEyes: {
        action: 'licensee.save',
        review: async (call) => ({ subject: licenseeRecord, version: String(call.body.version) }),
        before: async (_call, tx) => encode(await findLicensee(tx)),
      },
      body: LicenseeBody,
      answer: StoredLicenseeShape,
      refusals: ['version_conflict'],
      run: async (call, tx) => encode(await replaceLicensee(tx, call.by, call.body as Change)),
      afterCommit: refresh,
    }),
  ];
}

interface Change {
  readonly licensee: Licensee;
  readonly version: number;
}

function encode(stored: StoredLicensee | undefined): Static<typeof StoredLicenseeShape> {
  if (!stored) return { licensee: null, version: 0, updatedAt: null };
  const { licensee, version, updatedAt } = stored;
  return { licensee: licensee as Static<typeof LicenseeBody>['licensee'], version, updatedAt: updatedAt.toISOString() };
}

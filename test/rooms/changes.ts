/**
 * A room that exists only in tests of notifications: a merchant changes something and is told of it, in one transaction.
 * What its table has was committed; what it has not was not.
 */
import Type from 'typebox';
import type { ExtraRooms } from '../../src/app.js';
import { RemesaError } from '../../src/errors.js';
import { command } from '../../src/http/route.js';
import { statement } from '../../src/postgres/statement.js';
import { recordEvent } from '../webhooks/happenings.js';
import { plainTokens } from './notes.js';

export const changesTable = `
  CREATE TABLE made_changes (merchant_id bigint NOT NULL, event_id text NOT NULL, change_id text NOT NULL,
                        PRIMARY KEY (merchant_id, event_id))`;

const insertChange = statement(
  'made-changes.insert',
  'INSERT INTO made_changes (merchant_id, event_id, change_id) VALUES ($merchantId, $eventId, $changeId)',
);

const Change = Type.Object(
  { changeId: Type.String(), subject: Type.String(), isUndone: Type.Boolean() },
  {
    title: 'Change',
    additionalProperties: false,
    examples: [{ changeId: 'c1', subject: 's1', isUndone: false }],
  },
);

export function changesRooms(): ExtraRooms {
  const route = command({
    tag: 'Changes',
    method: 'POST',
    path: '/changes',
    operationId: 'change',
    summary: 'Change something',
    access: { token: 'merchant', scope: 'users', user: 'none' },
    body: Change,
    async run(call, tx) {
      const { changeId, subject, isUndone } = call.body;
      const { merchantId } = call.caller;
      const eventId = await recordEvent(tx, {
        merchantId,
        channel: 'kyc',
        type: 'kyc.submitted',
        subject,
        object: { changeId, subject },
        previousStatus: null,
      });
      await tx.query(insertChange, { merchantId, eventId, changeId });
      if (isUndone) throw new RemesaError('conflict', 'last_admin', 'It is undone.');
      return undefined;
    },
  });
  return { routes: [route], jobs: [], authenticator: plainTokens };
}

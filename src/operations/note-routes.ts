/** Routes for operators who write down and read what they found out about an order. */
import { auditedRead, command, type Route } from '../http/route.js';
import { merchantOf } from '../orders/order/finding.js';
import type { NoteService } from './note-service.js';
import { DeskPath, NewNoteShape, NoteListShape } from './schemas.js';

const described = {
  tag: 'Orders for operators',
  access: { token: 'operator', role: 'reviewer' },
  path: '/operator/orders/{id}/notes',
  params: DeskPath,
  refusals: ['order_not_found'],
} as const;

export function noteRoutes(notes: NoteService): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      subject: (call) => merchantOf(call.params.id),
      operationId: 'writeOrderNote',
      summary: 'Write a note about an order',
      description: 'Only operators see it. It is stored encrypted, and cannot be changed.',
      returns: 'The note is written.',
      body: NewNoteShape,
      run: (call, tx) => notes.write(tx, call.by, call.params.id, call.body.note),
    }),
    auditedRead({
      ...described,
      method: 'GET',
      operationId: 'getOrderNotes',
      summary: 'Read the notes about an order',
      returns: 'The notes, the oldest first.',
      answer: NoteListShape,
      run: async (call, tx) =>
        (await notes.read(tx, call.by, call.params.id)).map(({ note, by, at }) => ({
          note,
          by,
          at: at.toISOString(),
        })),
    }),
  ];
}

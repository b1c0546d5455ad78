/** The notes of operators about an order. They may name people, so they are sealed, and each reading is audited. */
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import { listOperators } from '../operators/service.js';
import type { OrderDesk } from '../orders/operator/desk/service.js';
import type { Order } from '../orders/order/order.js';
import type { Transaction } from '../postgres/statement.js';
import { addOperatorNote, countNotesOf, listOperatorNotes } from './note-store.js';

export interface Note {
  readonly note: string;
  /** The login of the operator. */
  readonly by: string;
  readonly at: Date;
}

export class NoteService {
  constructor(readonly orders: OrderDesk) {}

  /** Throws `order_not_found`, also after the user's retained key was destroyed. */
  async write(tx: Transaction, by: By, id: string, note: string): Promise<void> {
    if (by.actor.kind !== 'operator') throw new Error('only operators write notes');
    const { order, key } = await this.orders.lock(tx, id);
    const number = (await countNotesOf(tx, order)) + 1;
    const sealedNote = seal(key, Buffer.from(note), placeOf(order, number));
    await addOperatorNote(tx, order, { number, operatorId: by.actor.operatorId, sealedNote });
    await audit(tx, by, order, 'order.note_written');
  }

  /** The oldest first. Throws as `write` does. */
  async read(tx: Transaction, by: By, id: string): Promise<Note[]> {
    const { order, key } = await this.orders.lock(tx, id);
    const [notes, operators] = [await listOperatorNotes(tx, order), await listOperators(tx)];
    const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
    await audit(tx, by, order, 'order.notes_looked_at');
    return notes.map(({ number, operatorId, sealedNote, writtenAt }) => ({
      note: open(key, sealedNote, placeOf(order, number)).toString(),
      by: logins.get(operatorId) ?? String(operatorId),
      at: writtenAt,
    }));
  }
}

function placeOf({ merchantId, userId, orderId }: Order, number: number): string {
  return bindingOf('operator_notes', 'sealed_note', merchantId, userId, orderId, number);
}

function audit(tx: Transaction, by: By, { merchantId, orderId }: Order, action: string): Promise<void> {
  return recordChange(tx, by, { merchantId, action, subject: `order:${orderId}` });
}

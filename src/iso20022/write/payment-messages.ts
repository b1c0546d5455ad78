/** Writes a message of payments: checked by the rules of the profile and by a schema, before anybody sees its bytes. */
import { setImmediate } from 'node:timers/promises';
import type { PaymentMessage } from '../payment-message.js';
import { type BankProfile, type BankProfileName, bankProfiles } from '../profiles.js';
import { paymentSchema } from '../schemas/pain-001.js';
import { type Misfit, misfitsOf } from './checks.js';
import { type PaymentFrame, paymentElement, paymentFrame } from './pain-001.js';
import { SchemaValidator } from './validation.js';

/** Thrown for a message that the bank would refuse. */
export class UnfitMessage extends Error {
  override readonly name = 'UnfitMessage';

  constructor(readonly misfits: readonly Misfit[]) {
    super(misfits.map(({ payment, field, problem }) => `${payment ?? 'message'} ${field} ${problem}`).join('\n'));
  }
}

/** So many payments are written and checked between two turns of the event loop: some milliseconds. */
const paymentsAtOnce = 20;

const validators = new Map<string, SchemaValidator>();

function validatorOf(profile: BankProfile): SchemaValidator {
  const known = validators.get(profile.name) ?? new SchemaValidator(paymentSchema(profile));
  validators.set(profile.name, known);
  return known;
}

/**
 * The bytes of pain.001.001.09: the same content and profile always give the same ones. Throws `UnfitMessage` for what
 * the bank would refuse, `InvalidMessage` for what breaks the schema.
 */
export async function writePaymentMessage(profileName: BankProfileName, message: PaymentMessage): Promise<Buffer> {
  const profile = bankProfiles[profileName];
  const misfits = misfitsOf(profile, message);
  if (misfits.length > 0) throw new UnfitMessage(misfits);
  const frame = paymentFrame(profile, message);
  const parts: string[] = [];
  for (let start = 0; start < message.payments.length; start += paymentsAtOnce) {
    parts.push(checkedPart(profile, message, frame, start));
    await setImmediate();
  }
  return Buffer.from(frame.head + parts.join('') + frame.tail);
}

/** Some of the payments, proved in the frame of the whole: libxml2 can only check a message in one go. */
function checkedPart(profile: BankProfile, { payments }: PaymentMessage, frame: PaymentFrame, start: number): string {
  const part = payments.slice(start, start + paymentsAtOnce).map((order) => paymentElement(profile, order));
  const text = part.join('');
  validatorOf(profile).validate(frame.head + text + frame.tail);
  return text;
}

/** Seals what is known about payers, bound to where it is stored. */
import type { TenantId, UserId } from '../ids.js';
import { deriveKey } from '../keys/derive.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { Payer, PaymentId } from './payment.js';

/** Seals payers of money that has no user yet, and lines that wait to be imported. */
export class InstanceSealer {
  readonly #key: Buffer;

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'payers');
  }

  seal(binding: string, payer: Payer): Buffer {
    return sealPayer(this.#key, binding, payer);
  }

  /** Throws `BrokenSeal`. */
  open(binding: string, sealed: Buffer): Payer {
    return openPayer(this.#key, binding, sealed);
  }

  sealLines(binding: string, lines: unknown): Buffer {
    return seal(this.#key, Buffer.from(JSON.stringify(lines)), binding);
  }

  /** Throws `BrokenSeal`. */
  openLines(binding: string, sealed: Buffer): unknown {
    return JSON.parse(open(this.#key, sealed, binding).toString());
  }
}

export function sealPayer(key: Buffer, binding: string, payer: Payer): Buffer {
  return seal(key, Buffer.from(JSON.stringify(payer)), binding);
}

/** Throws `BrokenSeal`. */
export function openPayer(key: Buffer, binding: string, sealed: Buffer): Payer {
  return JSON.parse(open(key, sealed, binding).toString()) as Payer;
}

export function ofPayment(owner: TenantId, paymentId: PaymentId): string {
  return bindingOf('payments', 'sealed_payer', owner, paymentId);
}

export function ofApplication(merchant: TenantId, user: UserId, paymentId: PaymentId): string {
  return bindingOf('payment_applications', 'sealed_payer', merchant, user, paymentId);
}

export function ofImportPart(owner: TenantId, importId: string, part: number): string {
  return bindingOf('payment_import_parts', 'sealed_lines', owner, importId, part);
}

/** Seals what is known about payers, bound to where it is stored. */
import { createHmac } from 'node:crypto';
import type { TenantId, UserId } from '../ids.js';
import { deriveKey } from '../keys/derive.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import { plainName } from './applications/payer-name.js';
import type { Payer, PaymentId } from './payment.js';

/** Equal for the same account or name, and useless without the key. Short, so that many payers share each value. */
export interface PayerDigests {
  readonly account: number | undefined;
  readonly name: number;
}

/** Seals payers of money that has no user yet, and lines that wait to be imported. */
export class InstanceSealer {
  readonly #key: Buffer;
  readonly #digestKey: Buffer;

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'payers');
    this.#digestKey = deriveKey(rootKey, 'payer digests');
  }

  digestsOf({ name, account }: Pick<Payer, 'name' | 'account'>): PayerDigests {
    const digest = (kind: string, text: string) =>
      createHmac('sha256', this.#digestKey)
        .update(JSON.stringify([kind, text]))
        .digest()
        .readInt32BE();
    return {
      account: account === undefined ? undefined : digest('account', plainAccount(account)),
      name: digest('name', plainName(name)),
    };
  }

  sealNote(binding: string, note: string): Buffer {
    return seal(this.#key, Buffer.from(note), binding);
  }

  /** Throws `BrokenSeal`. */
  openNote(binding: string, sealed: Buffer): string {
    return open(this.#key, sealed, binding).toString();
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

export function ofImport(owner: TenantId, importId: string): string {
  return bindingOf('payment_imports', 'sealed_note', owner, importId);
}

export function ofNote(owner: TenantId, suspenseId: string, version: number): string {
  return bindingOf('suspense_notes', 'sealed_note', owner, suspenseId, version);
}

/** Banks group account numbers as they like. */
export function plainAccount(account: string): string {
  return account.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}

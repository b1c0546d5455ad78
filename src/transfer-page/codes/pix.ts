/** The static BR Code of PIX: fields of EMV, each as a number of two digits, a length and a value. Pure. */
import { amountToText } from '../../money/literal.js';
import { inPlainLetters, type Payment } from './paid-order.js';

export function pixText({ account, amount, reference }: Payment): string | undefined {
  const { pixKey, holderTown } = account.details;
  if (amount.currency !== 'BRL' || pixKey === undefined || holderTown === undefined) return undefined;
  const fields = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', pixKey)),
    field('52', '0000'),
    field('53', '986'),
    field('54', amountToText(amount)),
    field('58', 'BR'),
    field('59', inPlainLetters(account.holder, 25)),
    field('60', inPlainLetters(holderTown, 15)),
    field('62', field('05', reference)),
  ].join('');
  const checked = `${fields}6304`;
  return `${checked}${checksumOf(checked).toString(16).toUpperCase().padStart(4, '0')}`;
}

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** CRC-16 with the polynomial 1021 and the start FFFF. */
function checksumOf(text: string): number {
  let checksum = 0xffff;
  for (const byte of Buffer.from(text)) {
    checksum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      checksum = checksum & 0x8000 ? ((checksum << 1) ^ 0x1021) & 0xffff : (checksum << 1) & 0xffff;
    }
  }
  return checksum;
}

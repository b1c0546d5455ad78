/** Who sends and who pays in a story, by their names, and who of them is on the screening list. */
import { ana } from '../../harness/users.js';
import { alwaysListed, sometimesListed } from './list-file.js';
import type { Surroundings } from './order-record.js';

/** A sender: on no list, always on the list, or on it once the list has changed. */
export type Sender = 'clean' | 'listed' | 'sometimes';
const [listedName] = alwaysListed;
const [, sometimesName] = sometimesListed;
export const senderNames: Readonly<Record<Sender, string>> = {
  clean: `${ana.firstName} ${ana.lastName}`,
  listed: listedName,
  sometimes: sometimesName,
};

/** Who pays for an order: its sender, somebody else, or somebody else who is on the list. */
export type Payer = 'sender' | 'another' | 'listed';

export function payerName(payer: Payer, sender: Sender): string {
  if (payer === 'sender') return senderNames[sender];
  return payer === 'another' ? 'Bartholomew Quill' : listedName;
}

/** The place of the beneficiary who is listed with the sender of the same name. */
const sometimesPlace = 3;

export function isListed(name: string, { listed }: Pick<Surroundings, 'listed'>): boolean {
  return name === listedName || (name === sometimesName && listed.includes(sometimesPlace));
}

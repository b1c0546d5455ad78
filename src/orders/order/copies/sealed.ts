/** Seals what an order keeps about people under the user's retained key, bound to the order. */
import type { Details } from '../../../beneficiaries/beneficiary.js';
import type { UserId } from '../../../ids.js';
import { bindingOf, open, seal } from '../../../keys/sealing.js';
import type { OrderRef } from '../order.js';
import type { Originator } from './originator.js';

export interface OrderPlace extends OrderRef {
  readonly userId: UserId;
}

/** The sender as of the creation of the order. */
export interface Sender {
  readonly name: string;
  readonly country: string;
  /** Where a refund goes when the paying account is not known: an account in the sender's name. */
  readonly refundAccount?: Details;
  /** What the law asks whoever carries the money to know. */
  readonly originator?: Originator;
}

/** `version` counts corrections of the beneficiary: a copy from before a correction does not open. */
export function sealBeneficiary(key: Buffer, place: OrderPlace, version: number, details: Details): Buffer {
  return seal(key, Buffer.from(JSON.stringify(details)), beneficiaryPlace(place, version));
}

/** Throws `BrokenSeal` when the copy belongs to another order or was replaced by a correction. */
export function openBeneficiary(key: Buffer, place: OrderPlace, version: number, sealed: Buffer): Details {
  return JSON.parse(open(key, sealed, beneficiaryPlace(place, version)).toString()) as Details;
}

export function sealSender(key: Buffer, place: OrderPlace, sender: Sender): Buffer {
  return seal(key, Buffer.from(JSON.stringify(sender)), senderPlace(place));
}

/** Throws `BrokenSeal` when the copy belongs to another order. */
export function openSender(key: Buffer, place: OrderPlace, sealed: Buffer): Sender {
  return JSON.parse(open(key, sealed, senderPlace(place)).toString()) as Sender;
}

function beneficiaryPlace({ merchantId, userId, orderId }: OrderPlace, version: number): string {
  return bindingOf('orders', 'sealed_beneficiary', merchantId, userId, orderId, version);
}

function senderPlace({ merchantId, userId, orderId }: OrderPlace): string {
  return bindingOf('orders', 'sealed_sender', merchantId, userId, orderId);
}

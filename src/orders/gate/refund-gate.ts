/** The gate of money that goes back: who sent it, who paid it, and whose account it goes to. */

import { identifyingValues } from '../../beneficiaries/requirements.js';
import type { CountryPolicies } from '../../countries/service.js';
import { isFreezing } from '../../kyc/hits/hit.js';
import { recordMatchesOfLocked } from '../../kyc/hits/record-matches.js';
import { type HitService, type ListsSnapshot, screenPerson } from '../../kyc/hits/service.js';
import type { BlockService } from '../../persons/blocks/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { senderOf } from '../order/copies/copies.js';
import type { Sender } from '../order/copies/sealed.js';
import type { RuleFinding } from '../order/gate.js';
import type { Order } from '../order/order.js';
import type { NamedPayer, Payers, RefundRecipient } from '../order/ports.js';
import { type NewReview, nothingFound } from '../order/review.js';
import type { ReviewService } from '../review/service.js';
import { subjectOf } from './beneficiary-subject.js';
import { blockedFinding } from './block-list.js';
import { prohibitedCountry, ruleFindingOf } from './country-rule.js';
import { accountsOf, screenPayers, unreadablePayers } from './payer-screening.js';

export interface RefundGateOptions {
  readonly users: UserService;
  readonly hits: HitService;
  readonly reviews: Pick<ReviewService, 'clearedOf'>;
  readonly payers: Payers;
  readonly countries: Pick<CountryPolicies, 'findings'>;
  readonly blocks: Pick<BlockService, 'find'>;
  readonly snapshot: () => ListsSnapshot;
}

export class RefundGate {
  readonly #options: RefundGateOptions;

  constructor(options: RefundGateOptions) {
    this.#options = options;
  }

  /**
   * Returns why a person must look at the order before its money goes back; undefined when it may go. Locks the user,
   * so that nobody is blocked between the answer and the end of the transaction, and records new matches of the sender
   * as hits. Of a deleted user the name is compared that the order keeps, besides the hits that were recorded.
   * `recipients`: accounts that operators chose.
   */
  async examine(
    tx: Transaction,
    order: Order,
    recipients: readonly RefundRecipient[] = [],
  ): Promise<NewReview | undefined> {
    const { users, hits, reviews, snapshot } = this.#options;
    const { merchantId, userId } = order;
    await users.lock(tx, merchantId, userId);
    const lists = snapshot();
    const { person, retainedKey } = (await hits.gather(tx, merchantId, [userId])).open(userId);
    if (person) {
      const screened = screenPerson(person, lists);
      if (screened.matches.length > 0) await recordMatchesOfLocked(tx, hits, screened);
    }
    const known = await hits.listOf(tx, merchantId, userId);
    const sender = person && { subject: person.subject, hits: known };
    const paid = retainedKey ? await this.#payers(tx, order, retainedKey) : [];
    const copy = await senderOf(users, tx, order);
    const payers = retainedKey ? involvedIn(paid, copy, { recipients, isDeleted: !person }) : [];
    const matches = screenPayers(lists, payers, sender);
    const unreadable = unreadablePayers(lists, payers, person !== undefined);
    const blocking = known.filter(isFreezing);
    const blocked = await this.#blocked(tx, order, [...accountsOf(payers), ...refundAccountOf(copy)]);
    const fired = [...unreadable, ...this.#prohibited(person?.profile.countryCode)];
    if (matches.length + fired.length + blocking.length + blocked.length === 0) return undefined;
    const cleared = await reviews.clearedOf(tx, order);
    const senderHits = blocking.map(({ hitId }) => hitId).filter((hitId) => !cleared.hasHit(hitId));
    const payerMatches = matches.filter((match) => !cleared.hasPayerMatch(match));
    const rules = [...fired, ...blocked].filter(
      (finding) => !cleared.hasCompared(finding) && !cleared.hasRule(finding),
    );
    if (senderHits.length + payerMatches.length + rules.length === 0) return undefined;
    return {
      reasons: [
        ...(senderHits.length > 0 ? (['sender_match'] as const) : []),
        ...(payerMatches.length > 0 ? (['payer_match'] as const) : []),
        ...(rules.length > 0 ? (['rule'] as const) : []),
      ],
      findings: { ...nothingFound(order), hits: senderHits, payerMatches, rules },
    };
  }

  /** Money back to a country that is not served is decided by a person: an embargo may forbid it or ask for it. */
  #prohibited(residence: string | undefined): RuleFinding[] {
    const { countries } = this.#options;
    const found = residence ? countries.findings({ residence: [residence], nationality: [], payout: [] }) : [];
    return found.map(ruleFindingOf).filter(({ rule }) => rule === prohibitedCountry);
  }

  /** The sender, the accounts that paid, and each account that the money may go to. */
  async #blocked(tx: Transaction, order: Order, accounts: readonly (readonly string[])[]): Promise<RuleFinding[]> {
    const [found = []] = await this.#options.blocks.find(tx, [{ users: [order], accounts }]);
    return found.map(blockedFinding);
  }

  async #payers(tx: Transaction, { merchantId, orderId }: Order, retainedKey: Buffer): Promise<readonly NamedPayer[]> {
    const paid = await this.#options.payers.listOf(tx, merchantId, [orderId]);
    return paid.get(orderId)?.(retainedKey) ?? [];
  }
}

/**
 * Who paid, the account in the user's name that the order has for refunds, and those that operators chose; also a
 * sender who was deleted.
 */
function involvedIn(
  paid: readonly NamedPayer[],
  sender: Sender | undefined,
  { recipients, isDeleted }: { readonly recipients: readonly RefundRecipient[]; readonly isDeleted: boolean },
): NamedPayer[] {
  const own = sender?.refundAccount ? subjectOf(sender.refundAccount).names : [];
  // Whoever paid is known as the bank told it, also when the money goes back to the same account.
  const chosen = recipients.filter(
    ({ name, account }) => !paid.some((payer) => payer.name === name && payer.account === account),
  );
  return [
    ...paid,
    ...own.map((name) => ({ name, isAnother: false })),
    ...(isDeleted && sender ? [{ name: sender.name, isAnother: true }] : []),
    ...chosen.map(({ name, account }) => ({ name, account, isAnother: true })),
  ];
}

function refundAccountOf(sender: Sender | undefined): string[][] {
  return sender?.refundAccount ? [identifyingValues(sender.refundAccount)] : [];
}

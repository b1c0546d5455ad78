/** How to pay: the account, the amount and the reference, each to copy. */
import { findDestination } from '../../beneficiaries/requirements.js';
import { amountToText } from '../../money/literal.js';
import type { PayinAccount } from '../../orders/order/order.js';
import { missingOf } from '../../orders/order/payable.js';
import type { OpenTransfer, TransferDetails } from '../service.js';
import { CodeFigure } from './code-figure.js';
import { Moment, Row, Section } from './parts.js';
import type { TransferTexts } from './texts/transfer-texts.js';

interface PayingProps {
  readonly transfer: OpenTransfer;
  readonly details: TransferDetails;
  readonly texts: TransferTexts;
}

export function Paying({ transfer: { order }, details: { arrivesOn }, texts }: PayingProps) {
  const { pay } = texts.transfer;
  const { payinAccount: account, payinReference: reference } = order;
  const missing = missingOf(order);
  const copied = (text: string) => ({ text, label: pay.copy });
  return (
    <Section heading={pay.heading} name="paying">
      {account.isSimulated ? <p class="note attention">{pay.simulated}</p> : null}
      <dl class="rows">
        <Row label={pay.amount} isStrong copied={copied(amountToText(missing))} why={pay.amountWhy}>
          {texts.money(missing)}
        </Row>
        <Row label={pay.reference} isStrong copied={copied(reference)} why={pay.referenceWhy}>
          <span class="code" dir="ltr">
            {inGroups(reference)}
          </span>
        </Row>
        <Row label={pay.holder} copied={copied(account.holder)}>
          {account.holder}
        </Row>
        {Object.entries(numbersOf(account)).map(([name, value]) => (
          <Row
            key={name}
            label={labelOf(texts, order.payinAccount.country, order.amountIn.currency, name)}
            copied={copied(value)}
          >
            <span class="code" dir="ltr">
              {name === 'iban' ? inGroups(value) : value}
            </span>
          </Row>
        ))}
        <Row label={pay.bank}>{account.bankName}</Row>
        <Row label={pay.until} why={pay.untilWhy}>
          <Moment at={order.paymentDueAt} texts={texts} />
        </Row>
      </dl>
      {arrivesOn === undefined ? null : <p>{texts.fill(pay.arrives, { day: texts.day(arrivesOn) })}</p>}
      <CodeFigure order={order} texts={texts} />
      <p class="hint">{pay.own}</p>
    </Section>
  );
}

/** Without the address of the holder, which only codes need. */
function numbersOf({ details }: PayinAccount): Record<string, string> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !name.startsWith('holder')));
}

/** In groups of four, as banks print an IBAN and a reference. */
function inGroups(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** What the country calls a number of its accounts, where we know it. */
function labelOf(texts: TransferTexts, country: string, currency: string, name: string): string {
  if (name === 'accountNumber') return texts.transfer.pay.accountNumber;
  const destination = findDestination({ country, currency, method: 'bank_account' });
  return destination?.fields.find((field) => field.name === `account.${name}`)?.label ?? name.toUpperCase();
}

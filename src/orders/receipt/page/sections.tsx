/** The sections of the receipt. */
import type { ComponentChildren } from 'preact';
import { type Supervisor, supportIn } from '../../../licensee/licensee.js';
import { exchangeRateOf, transferAmountOf } from '../../../rates/exchange-rate.js';
import { viewOfOrder } from '../../order/wire/order-view.js';
import { availabilityOf } from '../receipt.js';
import type { SignedReceipt } from '../service.js';
import type { ReceiptTexts } from './texts/receipt-texts.js';

interface SectionProps {
  readonly receipt: SignedReceipt;
  readonly texts: ReceiptTexts;
}

export function Amounts({ receipt: { order }, texts }: SectionProps) {
  const { words } = texts;
  const rate = texts.rate(exchangeRateOf(order), order.amountIn.currency, order.amountOut.currency);
  return (
    <Section heading={words.costs}>
      <dl>
        <Row label={words.transferAmount}>{texts.money(transferAmountOf(order))}</Row>
        <Row label={words.fee}>{texts.money(order.fee)}</Row>
        <Row label={words.total} isTotal>
          {texts.money(order.amountReceived)}
        </Row>
        <Row label={words.exchangeRate}>
          <span dir="ltr">{rate}</span>
        </Row>
        {order.amountRefunded.minor > 0n ? (
          <Row label={words.refunded} isTotal>
            {texts.money(order.amountRefunded)}
          </Row>
        ) : null}
        {order.amountKept.minor > 0n ? <Row label={words.kept}>{texts.money(order.amountKept)}</Row> : null}
        {order.amountReversed.minor > 0n ? <Row label={words.reversed}>{texts.money(order.amountReversed)}</Row> : null}
      </dl>
      <p class="hint">{words.otherFees}</p>
    </Section>
  );
}

export function People({ receipt, texts }: SectionProps) {
  const { words } = texts;
  const { payee } = receipt.order;
  const methods: Readonly<Record<string, string>> = words.methods;
  return (
    <Section heading={words.people}>
      <dl>
        {receipt.senderName === undefined ? null : <Row label={words.sender}>{receipt.senderName}</Row>}
        {receipt.beneficiaryName === undefined ? null : <Row label={words.recipient}>{receipt.beneficiaryName}</Row>}
        <Row label={words.country}>{texts.country(payee.country)}</Row>
        <Row label={words.method}>{methods[payee.method] ?? payee.method}</Row>
        {payee.account === undefined ? null : (
          <Row label={words.account}>
            <span dir="ltr">{payee.account}</span>
          </Row>
        )}
      </dl>
    </Section>
  );
}

export function Dates({ receipt, texts }: SectionProps) {
  const { words } = texts;
  const { order, paidAt, completedAt, refundedAt } = receipt;
  const day = completedAt || refundedAt ? undefined : availabilityOf(order);
  const rows: readonly (readonly [string, Date | undefined])[] = [
    [words.paidAt, paidAt],
    [words.completedAt, completedAt],
    [words.refundedAt, refundedAt],
  ];
  return (
    <Section heading={words.dates}>
      <dl>
        {day === undefined ? null : (
          <Row label={words.estimatedArrivalAt}>
            <time datetime={day}>{texts.day(day)}</time>
          </Row>
        )}
        {rows.map(([label, moment]) =>
          moment ? (
            <Row key={label} label={label}>
              <time datetime={moment.toISOString()}>{texts.time(moment)}</time>
            </Row>
          ) : null,
        )}
      </dl>
    </Section>
  );
}

export function Numbers({ receipt: { order, merchant }, texts }: SectionProps) {
  const { words } = texts;
  return (
    <Section heading={words.numbers}>
      <dl class="numbers">
        <Row label={words.confirmation}>{order.orderId}</Row>
        <Row label={words.reference}>{order.payinReference}</Row>
        {order.externalOrderId === undefined ? null : (
          <Row label={texts.fill(words.ownNumber, { merchant: merchant.name })}>{order.externalOrderId}</Row>
        )}
      </dl>
    </Section>
  );
}

export function Cancelling({ receipt: { order }, texts }: SectionProps) {
  return (
    <Section heading={texts.words.cancelling}>
      <p>{cancellingText()}</p>
    </Section>
  );

  function cancellingText(): string {
    const { words } = texts;
    const { cancellationRequestedAt, cancellableUntil } = order;
    if (cancellationRequestedAt)
      return texts.fill(words.cancelRequested, { time: texts.time(cancellationRequestedAt) });
    const { cancellable } = viewOfOrder(order);
    if (cancellable === 'no') return words.cancelNot;
    if (cancellableUntil) return texts.fill(words.cancelUntil, { time: texts.time(cancellableUntil) });
    return cancellable === 'on_request' ? words.cancelAfterReview : words.cancelWhileHere;
  }
}

export function Mistakes({ receipt: { order, merchant }, texts }: SectionProps) {
  const { words } = texts;
  const { supportEmail, supportUrl } = merchant.branding;
  const named = { merchant: merchant.name };
  // Only senders in the United States have a time to cancel, and only they have these rights.
  const hasUsRights = order.cancellableUntil !== undefined;
  return (
    <Section heading={words.mistakes}>
      <p>{texts.fill(words.contact, named)}</p>
      {supportEmail || supportUrl ? (
        <ul>
          {supportEmail ? (
            <li>
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
            </li>
          ) : null}
          {supportUrl ? (
            <li>
              <a href={supportUrl} rel="noopener noreferrer">
                {supportUrl}
              </a>
            </li>
          ) : null}
        </ul>
      ) : null}
      {hasUsRights ? (
        <>
          <p>{texts.fill(words.rightsUs, named)}</p>
          <p>{texts.fill(words.agencyUs, named)}</p>
        </>
      ) : null}
    </Section>
  );
}

/** PSD2 art. 45(1) and 101(3); 12 CFR 1005.31(b)(2)(v) and (vi). */
export function Provider({ receipt: { licensee, supervisor }, texts }: SectionProps) {
  if (!licensee) return null;
  const { words } = texts;
  const { legalName, address, licence, licenceNumber, complaints } = licensee;
  const support = supportIn(licensee, texts.locale);
  const rows: readonly (readonly [string, string | undefined])[] = [
    [words.provider, `${legalName}, ${address}`],
    [words.licence, `${licence} ${licenceNumber}`],
    [words.supervisor, supervisor && textOfSupervisor(supervisor)],
    [words.support, support && [support.phone, support.email].filter(Boolean).join(', ')],
    [words.complaints, [complaints.email, complaints.phone, complaints.address].filter(Boolean).join(', ')],
    [words.disputeBody, complaints.disputeBody && `${complaints.disputeBody.name}, ${complaints.disputeBody.url}`],
  ];
  return (
    <Section heading={words.licensee}>
      <dl>
        {rows.map(([label, text]) =>
          text ? (
            <Row key={label} label={label}>
              {text}
            </Row>
          ) : null,
        )}
      </dl>
    </Section>
  );
}

function textOfSupervisor({ name, phone, url }: Supervisor): string {
  return [name, phone, url].filter(Boolean).join(', ');
}

export function Signature({ receipt, texts }: SectionProps) {
  return (
    <details class="signature">
      <summary>{texts.words.signature}</summary>
      <p class="hint">{texts.words.signatureWhy}</p>
      <code dir="ltr">{receipt.proof}</code>
    </details>
  );
}

export function Section({ heading, children }: { readonly heading: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly isTotal?: boolean;
  readonly children: ComponentChildren;
}

export function Row({ label, isTotal, children }: RowProps) {
  return (
    <div class={isTotal ? 'row total' : 'row'}>
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

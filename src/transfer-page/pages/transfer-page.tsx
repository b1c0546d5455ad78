/** The page of a transfer: where it stands, what happens next, and what the sender can do. */
import type { PageAnswer } from '../../http/page.js';
import { missingOf } from '../../orders/order/payable.js';
import { owedToPayer } from '../../orders/order/refund.js';
import { isOnItsWay } from '../../orders/order/wire/order-view.js';
import { exchangeRateOf } from '../../rates/exchange-rate.js';
import type { OpenTransfer, TransferDetails } from '../service.js';
import { allowsCorrection, isFinal, type Step, type StepName, stepsOf, takesMoney } from '../stage.js';
import { Asking, answerFaults, type RefusedAnswers } from './asking.js';
import { renderPage } from './layout.js';
import { addressOf, merchantName, type PageContext } from './page-context.js';
import { Moment, Row, Section } from './parts.js';
import { Paying } from './paying.js';
import { StagePicture } from './pictures.js';

export interface TransferPage {
  readonly transfer: OpenTransfer;
  readonly details: TransferDetails;
  /** The token of the link, for the addresses of the other pages. */
  readonly token: string;
  /** The sender sent a form of a page that was out of date. */
  readonly hasChanged?: boolean;
  /** What the sender answered, and what was wrong with it. */
  readonly refused?: RefusedAnswers;
}

/** Long enough to read the page, short enough to see the money arrive. */
const refreshAfterSeconds = 30;

export function transferPage(context: PageContext, page: TransferPage): PageAnswer {
  const { transfer, token, hasChanged = false, refused } = page;
  const { stage, view } = transfer;
  const { texts } = context;
  const isAsked = stage === 'answer' || stage === 'choose';
  return renderPage(context, {
    title: texts.transfer.stages[stage].title,
    status: refused ? 422 : 200,
    faults: answerFaults(context, refused),
    // A reload would discard what was entered.
    refreshAfterSeconds: isFinal(stage) || isAsked ? undefined : refreshAfterSeconds,
    following: isFinal(stage) ? undefined : { version: view.version, at: token, isTold: true },
    children: (
      <div class="transfer" data-stage={stage}>
        {hasChanged ? (
          <p class="note attention" role="status">
            {texts.transfer.changed}
          </p>
        ) : null}
        <Head page={page} context={context} />
        <Steps page={page} context={context} />
        {isAsked ? <Asking transfer={transfer} token={token} context={context} refused={refused} /> : null}
        {takesMoney(view) ? <Paying transfer={transfer} details={page.details} texts={texts} /> : null}
        {stage === 'collect' ? <Collecting token={token} context={context} /> : null}
        <Details page={page} context={context} />
        <Further page={page} context={context} />
      </div>
    ),
  });
}

interface PartProps {
  readonly page: TransferPage;
  readonly context: PageContext;
}

function Head({ page: { transfer, details }, context: { texts } }: PartProps) {
  const { order, stage } = transfer;
  const { title, text } = texts.transfer.stages[stage];
  const values = {
    missing: texts.money(missingOf(order)),
    received: texts.money(order.amountReceived),
    out: texts.money(order.amountOut),
    owed: texts.money(owedToPayer(order)),
    refunded: texts.money(order.amountRefunded),
    name: details.beneficiaryName ?? texts.transfer.theRecipient,
  };
  return (
    <header class="state">
      <StagePicture stage={stage} />
      <h1>{title}</h1>
      <p class="intro">{texts.fill(text, values)}</p>
      {order.statusReason === undefined ? null : <p>{texts.words.reasons[order.statusReason]}</p>}
    </header>
  );
}

function Steps({ page, context: { texts } }: PartProps) {
  const { transfer, details } = page;
  const steps = stepsOf(transfer.view);
  if (steps.length === 0) return null;
  const { transfer: words } = texts;
  const doneAt: Readonly<Partial<Record<StepName, Date | undefined>>> = {
    paid: details.paidAt,
    arrived: details.completedAt,
    back: details.refundedAt,
  };
  return (
    <ol class="steps" aria-label={words.progress}>
      {steps.map((step) => (
        <li
          key={step.name}
          data-progress={step.progress}
          aria-current={step.progress === 'current' ? 'step' : undefined}
        >
          <span>
            {words.steps[step.name][step.progress === 'done' ? 'done' : 'open']}
            {step.progress === 'open' ? null : (
              <span class="aside"> ({step.progress === 'done' ? words.stepDone : words.stepCurrent})</span>
            )}
          </span>
          <StepTime step={step} at={doneAt[step.name]} page={page} texts={texts} />
        </li>
      ))}
    </ol>
  );
}

interface StepTimeProps {
  readonly step: Step;
  readonly at: Date | undefined;
  readonly page: TransferPage;
  readonly texts: PageContext['texts'];
}

function StepTime({ step, at, page, texts }: StepTimeProps) {
  if (step.progress === 'done') return at ? <Moment at={at} texts={texts} /> : null;
  const { order } = page.transfer;
  const arrivesAt = isOnItsWay(order) ? order.estimatedArrivalAt : undefined;
  const expectedAt = step.name === 'arrived' ? arrivesAt : step.name === 'back' ? order.refundDueBy : undefined;
  if (!expectedAt) return null;
  return <span class="hint">{texts.fill(texts.transfer.expectedBy, { time: texts.time(expectedAt) })}</span>;
}

function Details({ page: { transfer, details }, context: { texts } }: PartProps) {
  const { order } = transfer;
  const { words, transfer: own } = texts;
  const { payee, amountIn, amountOut, fee, refunds } = order;
  const methods: Readonly<Record<string, string>> = words.methods;
  const account = [methods[payee.method] ?? payee.method, payee.account].filter(Boolean).join(' ');
  return (
    <Section heading={own.details.heading} name="details">
      <dl class="rows">
        <Row label={own.details.you}>{texts.money(amountIn)}</Row>
        <Row label={words.fee}>{texts.money(fee)}</Row>
        <Row label={words.exchangeRate}>
          <span dir="ltr">{texts.rate(exchangeRateOf(order), amountIn.currency, amountOut.currency)}</span>
        </Row>
        <Row label={own.details.recipient} isStrong>
          {texts.money(amountOut)}
        </Row>
        <Row label={own.details.to}>{details.beneficiaryName ?? own.theRecipient}</Row>
        <Row label={words.method}>
          {account}, {texts.country(payee.country)}
        </Row>
        {refunds.map((refund) => (
          <Row key={refund.refundId} label={own.details.refunds} why={own.refundStates[refund.state]}>
            {texts.money(refund.amount)}
          </Row>
        ))}
        <Row label={own.details.number}>
          <span class="code" dir="ltr">
            {order.orderId}
          </span>
        </Row>
      </dl>
    </Section>
  );
}

/** The code is shown on a page of its own, after a second step that is recorded. */
function Collecting({ token, context }: { readonly token: string; readonly context: PageContext }) {
  const { collect } = context.texts.transfer;
  return (
    <Section heading={collect.heading} name="collecting">
      <p>{collect.text}</p>
      <form method="post" action={addressOf(context, `${token}/code`)}>
        <button type="submit" class="other">
          {collect.show}
        </button>
      </form>
    </Section>
  );
}

function Further({ page: { transfer, details, token }, context }: PartProps) {
  const { transfer: words } = context.texts;
  const { redirectUrl } = transfer.link;
  return (
    <nav class="further actions" aria-label={words.title}>
      <ul>
        {details.paidAt ? (
          <li>
            <a href={addressOf(context, `${token}/receipt`)} target="_blank" rel="noopener">
              {words.receipt}
            </a>
          </li>
        ) : null}
        {allowsCorrection(transfer.view) ? (
          <li>
            <a href={addressOf(context, `${token}/recipient`)}>{words.correct.link}</a>
          </li>
        ) : null}
        {transfer.view.cancellable === 'no' ? null : (
          <li>
            <a href={addressOf(context, `${token}/cancel`)}>{words.cancel.link}</a>
          </li>
        )}
        {redirectUrl === undefined ? null : (
          <li>
            <a href={redirectUrl} rel="noreferrer">
              {context.texts.frame('returnTo', { merchant: merchantName(context) })}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

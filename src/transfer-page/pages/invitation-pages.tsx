/** The pages of an invited recipient: the account as a form, and afterwards what is on its way. */
import { findDestination } from '../../beneficiaries/requirements.js';
import type { FieldFault } from '../../errors.js';
import type { PageAnswer } from '../../http/page.js';
import type { Order } from '../../orders/order/order.js';
import type { Invitation } from '../invitations/invitation.js';
import type { OpenInvitation } from '../invitations/service.js';
import { type TrackingStage, trackedOf, trackingVersion } from '../invitations/tracking.js';
import { renderPage } from './layout.js';
import { addressOf, merchantName, type PageContext } from './page-context.js';
import { Moment, Row } from './parts.js';
import { StagePicture } from './pictures.js';
import { type Entered, RecipientFields, type RecipientForm, recipientFaults } from './recipient-fields.js';

/** The address of the pages of an invitation, from those of transfers, whose assets they share. */
export function pathOfInvitation(token: string): string {
  return `../recipient/${token}`;
}

export interface Filled {
  readonly entered: Entered;
  readonly faults: readonly FieldFault[];
}

interface InvitationPage {
  readonly open: OpenInvitation;
  readonly token: string;
  readonly filled: Filled;
}

/** Undefined when the destination is not offered any more. */
export function formOf({ country, currency, method, type }: Invitation, filled: Filled): RecipientForm | undefined {
  const destination = findDestination({ country, currency, method });
  return destination && { destination, type, ...filled, keepsEmpty: false };
}

export function invitationPage(context: PageContext, { open, token, filled }: InvitationPage): PageAnswer | undefined {
  const { texts } = context;
  const { recipient, correct } = texts.transfer;
  const form = formOf(open.invitation, filled);
  if (!form) return undefined;
  const { country, currency } = open.invitation;
  const faults = recipientFaults(form, texts);
  const values = { name: open.senderName, merchant: merchantName(context), country: texts.country(country), currency };
  return renderPage(context, {
    title: recipient.title,
    status: faults.length > 0 ? 422 : 200,
    faults,
    promise: texts.fill(recipient.promise, values),
    children: (
      <>
        <h1>{recipient.title}</h1>
        <p class="intro">{texts.fill(recipient.text, values)}</p>
        <form method="post" action={addressOf(context, pathOfInvitation(token))}>
          <RecipientFields form={form} texts={texts} />
          <div class="actions">
            <button type="submit" class="main">
              {correct.save}
            </button>
          </div>
        </form>
      </>
    ),
  });
}

const refreshAfterSeconds = 60;

export function trackingPage(context: PageContext, open: OpenInvitation, token: string): PageAnswer {
  const { texts } = context;
  const { recipient } = texts.transfer;
  const { orders, senderName } = open;
  const told = trackedOf(orders);
  return renderPage(context, {
    title: recipient.trackingTitle,
    refreshAfterSeconds,
    following: { version: trackingVersion(orders), at: pathOfInvitation(token), isTold: false },
    promise: texts.fill(recipient.trackingPromise, {}),
    children: (
      <div class="transfer" data-stage={told[0]?.stage ?? 'waiting'}>
        <header class="state">
          <StagePicture stage={told[0]?.stage ?? 'preparing'} />
          <h1>{recipient.trackingTitle}</h1>
          <p class="intro">
            {texts.fill(told.length > 0 ? recipient.tracking : recipient.thanks, { name: senderName })}
          </p>
        </header>
        {told.map(({ order, stage }) => (
          <Tracked key={order.orderId} order={order} stage={stage} context={context} />
        ))}
      </div>
    ),
  });
}

interface TrackedProps {
  readonly order: Order;
  readonly stage: TrackingStage;
  readonly context: PageContext;
}

function Tracked({ order, stage, context: { texts } }: TrackedProps) {
  const { recipient } = texts.transfer;
  const { amountOut, payee, estimatedArrivalAt } = order;
  const methods: Readonly<Record<string, string>> = texts.words.methods;
  return (
    <section class="part tracked">
      <dl class="rows">
        <Row label={recipient.stages[stage]} isStrong>
          {texts.money(amountOut)}
        </Row>
        <Row label={texts.words.method}>
          {[methods[payee.method] ?? payee.method, payee.account].filter(Boolean).join(' ')}
        </Row>
        {estimatedArrivalAt && stage !== 'arrived' && stage !== 'delayed' ? (
          <Row label={recipient.expected}>
            <Moment at={estimatedArrivalAt} texts={texts} />
          </Row>
        ) : null}
      </dl>
    </section>
  );
}

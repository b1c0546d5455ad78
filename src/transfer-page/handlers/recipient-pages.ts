/** The pages of an invited recipient. Whoever has the link is the recipient; an invitation is answered once. */
import { beneficiaryFaults } from '../../beneficiaries/validation.js';
import { RemesaError } from '../../errors.js';
import type { PageAnswer, Visit } from '../../http/page.js';
import { FixedWindows, rateLimited } from '../../http/traffic/fixed-windows.js';
import type { Queryable } from '../../postgres/statement.js';
import type { InvitationService, OpenInvitation } from '../invitations/service.js';
import { trackingVersion } from '../invitations/tracking.js';
import { closedPage } from '../pages/closed-pages.js';
import { type Filled, formOf, invitationPage, pathOfInvitation, trackingPage } from '../pages/invitation-pages.js';
import { addressOf, type PageContext, pageContextOf } from '../pages/page-context.js';
import { bodyOf } from '../pages/recipient-fields.js';
import type { PostedBySender } from './post-pages.js';

/** People stay far below this. */
const postsOfOneInvitation = { name: 'recipient posts', requests: 30, windowSeconds: 60 } as const;

export class RecipientPages {
  readonly #invitations: InvitationService;
  readonly #posts = new FixedWindows(postsOfOneInvitation.requests, postsOfOneInvitation.windowSeconds);

  constructor(invitations: InvitationService) {
    this.#invitations = invitations;
  }

  async show(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const open = await this.#invitations.open(database, token);
    const context = contextOf(visit, open, token);
    if (open.kind !== 'open') return closedPage(context, open.kind);
    // The script asks whether the page that it shows is still the newest.
    if (open.invitation.completedAt && visit.search.seen === trackingVersion(open.orders)) return { status: 204 };
    // Most people live where their account is.
    const entered = { 'address.country': open.invitation.country };
    return showOpen(context, open, token, { entered, faults: [] });
  }

  async enter(posted: PostedBySender, token: string): Promise<PageAnswer> {
    const open = await this.#invitations.open(posted.database, token);
    const context = contextOf(posted, open, token);
    if (open.kind !== 'open') return closedPage(context, open.kind);
    this.#count(open);
    const { fields } = await posted.readForm(async () => undefined);
    const back: PageAnswer = { status: 303, headers: { location: addressOf(context, pathOfInvitation(token)) } };
    const form = formOf(open.invitation, { entered: Object.fromEntries(fields), faults: [] });
    // Answered already, perhaps a moment ago.
    if (open.invitation.completedAt || !form) return back;
    const submitted = bodyOf(form, form.entered);
    const faults = beneficiaryFaults(submitted);
    if (faults.length > 0) return showOpen(context, open, token, { entered: form.entered, faults });
    const by = { actor: { kind: 'system', name: 'recipient' }, requestId: posted.requestId } as const;
    try {
      await posted.change((tx) => this.#invitations.complete(tx, by, open, submitted));
    } catch (error) {
      if (!(error instanceof RemesaError && error.code === 'invitation_not_found')) throw error;
    }
    return back;
  }

  #count({ invitation }: OpenInvitation): void {
    const { left, resetSeconds } = this.#posts.count(invitation.invitationId);
    if (left < 0) throw rateLimited(postsOfOneInvitation, resetSeconds);
  }
}

function contextOf(visit: Visit, open: Awaited<ReturnType<InvitationService['open']>>, token: string): PageContext {
  const owner = open.kind === 'unknown' ? undefined : { merchant: open.merchant, link: open.invitation };
  return pageContextOf(visit, owner, open.kind === 'open' ? pathOfInvitation(token) : undefined);
}

function showOpen(context: PageContext, open: OpenInvitation, token: string, filled: Filled): PageAnswer {
  if (open.invitation.completedAt) return trackingPage(context, open, token);
  return invitationPage(context, { open, token, filled }) ?? closedPage(context, 'ended');
}

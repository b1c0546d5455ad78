/** Routes of section 4.2 of the API contract, of links to the form and of its first document. */
import Type from 'typebox';
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import { document } from '../http/page-route.js';
import { command, type Route } from '../http/route.js';
import { renewableFrom } from '../kyc/cases/renewal.js';
import type { FormRequest, KycService, OpenedForm } from '../kyc/service.js';
import type { FormService } from '../kyc/submissions/service.js';
import { frameOf } from '../kyc/submissions/session.js';
import type { FormEnded } from '../kyc/submissions/view.js';
import { findMerchantById } from '../merchants/service.js';
import type { Transaction } from '../postgres/statement.js';
import { contractDocument } from './pages/contract-document.js';
import { isRegistered } from './redirect.js';
import { LinkShape, NewLinkShape, RegisterPath } from './schemas.js';

export interface LinkRouteOptions {
  readonly kyc: KycService;
  readonly forms: FormService;
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly isSandbox: boolean;
}

const described = { tag: 'KYC' } as const;
const ofUser = { token: 'either', scope: 'kyc', user: 'required' } as const;

export function linkRoutes(options: LinkRouteOptions): Route[] {
  return [registerRoute(options), linkRoute(options)];
}

function registerRoute({ kyc, forms, baseUrl, clock }: LinkRouteOptions): Route {
  return document({
    ...described,
    method: 'GET',
    path: '/kyc/register/{kycLevel}/{zone}',
    operationId: 'getKycForm',
    summary: 'Get a KYC registration form',
    description:
      'The first step of the hosted form as one HTML document: show it to the user unchanged. It contains a token and nothing personal. The first request opens the case. In the last 30 days of an approval, it opens a renewal. If the user holds the level for longer than that, waits for a decision or was finally rejected, the document says so.',
    returns: 'The HTML document.',
    access: ofUser,
    params: RegisterPath,
    answer: Type.String({ examples: ['<!doctype html>…'] }),
    refusals: ['zone_country_mismatch'],
    async run(call, tx) {
      const { kycLevel: level, zone } = call.params;
      const request = { merchantId: call.caller.merchantId, user: call.user, level, zone };
      const opened = await kyc.openForm(tx, call.by, request);
      const isOpen = opened.kind === 'open';
      const form = isOpen ? await forms.blank(tx, opened.token) : await endedForm(tx, request, opened);
      return contractDocument({
        form,
        token: isOpen ? opened.token : '',
        baseUrl: baseUrl(),
        acceptLanguage: call.acceptLanguage,
        now: clock.now(),
      });
    },
  });
}

/** A higher approved level also satisfies this one. The page always names the level that was requested. */
async function endedForm(
  tx: Transaction,
  { level, zone }: FormRequest,
  { kind, kycCase }: Exclude<OpenedForm, { kind: 'open' }>,
): Promise<FormEnded> {
  const frame = await frameOf(tx, kycCase, {});
  return frame ? { ...frame, level, zone, kind } : { kind: 'unknown' };
}

function linkRoute({ kyc, baseUrl, isSandbox }: LinkRouteOptions): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/kyc/links',
    operationId: 'createKycLink',
    summary: 'Create a link to the identity form',
    description:
      'For a redirect, a web view, or to continue on another device. Each call creates a new link, unless it repeats an ' +
      'Idempotency-Key. In the last 30 days of an approval, the link leads to a renewal: the level stays valid meanwhile.',
    returns: 'The link, and when it ends.',
    access: ofUser,
    body: NewLinkShape,
    answer: LinkShape,
    idempotency: { keepForHours: 24, isSecret: true },
    refusals: ['zone_country_mismatch', 'redirect_url_not_registered', 'kyc_form_not_open'],
    async run(call, tx) {
      const { kycLevel: level, zone, redirectUrl, locale } = call.body;
      const { merchantId } = call.caller;
      if (redirectUrl !== undefined) await checkRedirect(tx, merchantId, redirectUrl, isSandbox);
      const opened = await kyc.openForm(tx, call.by, {
        merchantId,
        user: call.user,
        level,
        zone,
        redirectUrl,
        locale,
      });
      if (opened.kind !== 'open') throw notOpen(opened);
      const url = `${baseUrl()}/kyc/form/${opened.token}`;
      return { url, expiresAt: opened.expiresAt.toISOString() };
    },
  });
}

async function checkRedirect(
  tx: Transaction,
  merchantId: FormRequest['merchantId'],
  redirectUrl: string,
  isSandbox: boolean,
): Promise<void> {
  const merchant = await findMerchantById(tx, merchantId);
  if (isRegistered(redirectUrl, merchant?.redirectUrls ?? [], { isSandbox })) return;
  throw new RemesaError('impossible', 'redirect_url_not_registered', 'redirectUrl is not registered for you.');
}

function notOpen({ kind, kycCase }: Exclude<OpenedForm, { kind: 'open' }>): RemesaError {
  const details = {
    held: 'The user holds this level already, and it does not end soon.',
    submitted: 'The user has sent the form, and it is being reviewed.',
    refused: 'The user was finally rejected.',
  };
  const { caseId, level: kycLevel, state: caseStatus, renewal } = kycCase;
  const from = kind === 'held' ? renewableFrom(kycCase) : undefined;
  return new RemesaError('conflict', 'kyc_form_not_open', details[kind], {
    members: {
      caseId,
      kycLevel,
      caseStatus,
      ...(renewal ? { renewalStatus: renewal.state } : {}),
      ...(from ? { renewableFrom: from.toISOString() } : {}),
    },
  });
}

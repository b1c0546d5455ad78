/** Routes of section 4.2 of the API contract, of links to the form, and of cases. */
import Type from 'typebox';
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import { document } from '../http/page-route.js';
import { command, type Route, read } from '../http/route.js';
import { publicId } from '../ids.js';
import { findMerchantById } from '../merchants/service.js';
import type { Transaction } from '../postgres/statement.js';
import { caseStates, viewOfCase } from './case.js';
import { isRegistered } from './form/access/redirect.js';
import { frameOf } from './form/access/session.js';
import { contractDocument } from './form/pages/contract-document.js';
import type { FormService } from './form/service.js';
import type { FormEnded } from './form/view.js';
import { renewableFrom } from './renewal/renewal.js';
import { CaseShape, LevelsShape, LinkShape, NewLinkShape, RegisterPath, StatesShape } from './schemas.js';
import { caseNotFound, type FormRequest, type KycService, type OpenedForm } from './service.js';
import { transitions } from './transitions.js';

export interface KycRouteOptions {
  readonly kyc: KycService;
  readonly forms: FormService;
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly isSandbox: boolean;
}

const described = { tag: 'KYC' } as const;
const ofUser = { token: 'either', scope: 'kyc', user: 'required' } as const;

export function kycRoutes(options: KycRouteOptions): Route[] {
  return [...readingRoutes(options.kyc), registerRoute(options), linkRoute(options)];
}

function readingRoutes(kyc: KycService): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/kyc',
      operationId: 'getKycLevels',
      summary: 'Find KYC levels of a user',
      description: 'The levels that the user holds now: approved and not expired. A level includes the lower ones.',
      returns: 'The levels that the user holds now, lowest first.',
      access: ofUser,
      answer: LevelsShape,
      async run(call, database) {
        const kycLevels = await kyc.levels(database, call.caller.merchantId, call.user.id);
        return { userId: call.user.id, kycLevels };
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/kyc/cases',
      operationId: 'listKycCases',
      summary: 'List a user’s KYC cases',
      description: 'One case for each level and zone that a form was requested for.',
      returns: 'The user’s cases, the oldest first.',
      access: ofUser,
      answer: Type.Array(CaseShape),
      async run(call, database) {
        return (await kyc.listCases(database, call.caller.merchantId, call.user.id)).map(viewOfCase);
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/kyc/cases/{id}',
      operationId: 'getKycCase',
      summary: 'Get a KYC case',
      returns: 'The case.',
      access: { token: 'either', scope: 'kyc', user: 'optional' },
      params: Type.Object({ id: Type.String({ description: 'The id of the case.' }) }),
      answer: CaseShape,
      refusals: ['kyc_case_not_found'],
      async run(call, database) {
        const caseId = publicId('kyc', call.params.id);
        if (caseId === undefined) throw caseNotFound();
        return viewOfCase(await kyc.findCase(database, call.caller.merchantId, caseId, call.user?.id));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/meta/kyc-states',
      operationId: 'getKycStates',
      summary: 'List the states of a KYC case',
      returns: 'All states, and the transitions between them.',
      access: { token: 'either', scope: 'kyc', user: 'none' },
      answer: StatesShape,
      run: async () => ({
        states: [...caseStates],
        transitions: transitions.map((transition) => ({ ...transition })),
      }),
    }),
  ];
}

function registerRoute({ kyc, forms, baseUrl, clock }: KycRouteOptions): Route {
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

function linkRoute({ kyc, baseUrl, isSandbox }: KycRouteOptions): Route {
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

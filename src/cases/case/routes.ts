/** Routes for operators: cases, what they hold, and their reports. */
import Type, { type Static } from 'typebox';
import { invalidField } from '../../errors.js';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { readTime } from '../../http/body/read-time.js';
import { auditedRead, command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import type { OperatorId } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { ReportService } from '../reports/service.js';
import { type ComplianceCase, caseStates } from './case.js';
import * as shapes from './schemas.js';
import type { CaseChange, CaseFile, CaseService } from './service.js';

const described = { tag: 'Cases', access: { token: 'operator', role: 'reviewer' } } as const;
const writes = { ...described, subject: 'instance', idempotency: { keepForHours: 24, isSecret: true } } as const;
const path = '/operator/cases/{caseId}';

export function caseRoutes(cases: CaseService, reports: ReportService): Route[] {
  return [
    listRoute(cases),
    openRoute(cases),
    fileRoute(cases),
    itemRoute(cases),
    removeRoute(cases),
    changeRoute(cases),
    filingRoute(cases),
    reportRoute(reports),
  ];
}

function listRoute(cases: CaseService): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/operator/cases',
    operationId: 'listCases',
    summary: 'List cases',
    description: 'Contains no title and nothing personal. The header `Link` names the next page.',
    returns: 'A page of cases, by id.',
    query: shapes.CaseQueryShape,
    answer: Type.Array(shapes.ComplianceCaseShape),
    async run({ query }, database) {
      const { state = 'open,investigating,reported', after = '', limit = 50 } = query;
      const found = await cases.list(database, namesIn(caseStates, state) ?? [], { after, limit });
      const last = found.length === limit ? found.at(-1) : undefined;
      const logins = await loginsOf(database);
      const items = found.map((each) => encodeCase(each, logins));
      return new ListPage(items, last && nextPage('/operator/cases', query, last.caseId));
    },
  });
}

function openRoute(cases: CaseService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: '/operator/cases',
    operationId: 'openCase',
    summary: 'Open a case',
    description: 'You own it, and it is due in 30 days.',
    returns: 'The case.',
    body: shapes.NewCaseShape,
    answer: shapes.CaseFileShape,
    refusals: ['alert_not_found', 'alert_decided'],
    async run({ body: { title, alertIds = [] }, by }, tx) {
      return encodeFile(tx, await cases.open(tx, by, { title, alertIds }));
    },
  });
}

function fileRoute(cases: CaseService): Route {
  return auditedRead({
    ...described,
    method: 'GET',
    path,
    operationId: 'getCase',
    summary: 'Get a case and what it holds',
    returns: 'The case.',
    params: shapes.CasePath,
    answer: shapes.CaseFileShape,
    refusals: ['case_not_found'],
    run: async ({ params, by }, tx) => encodeFile(tx, await cases.look(tx, by, params.caseId)),
  });
}

function itemRoute(cases: CaseService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: `${path}/items`,
    operationId: 'addToCase',
    summary: 'Add something to a case',
    description:
      'What you write stays. A reference must exist; one that was added by mistake can be removed. An alert that is added is not open any more.',
    returns: 'The case.',
    params: shapes.CasePath,
    body: shapes.NewItemShape,
    answer: shapes.CaseFileShape,
    refusals: ['case_not_found', 'merchant_not_found', 'alert_not_found', 'alert_decided'],
    async run({ params: { caseId }, body: { kind, merchant, reference, text }, by }, tx) {
      if (kind === 'alert') return encodeFile(tx, await cases.addAlert(tx, by, caseId, reference ?? ''));
      const merchantId = merchant === undefined ? undefined : await merchantIdOf(tx, merchant);
      return encodeFile(tx, await cases.add(tx, by, caseId, { kind, merchantId, reference, text }));
    },
  });
}

function removeRoute(cases: CaseService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: `${path}/items/{number}/remove`,
    operationId: 'removeFromCase',
    summary: 'Remove something that was added to a case by mistake',
    description: 'It belongs to the case and its reports no more. That it was there, and why it was removed, stays.',
    returns: 'The case.',
    params: shapes.CaseItemPath,
    body: shapes.RemovalShape,
    answer: shapes.CaseFileShape,
    refusals: ['case_not_found', 'case_item_not_removable'],
    run: async ({ params, body, by }, tx) =>
      encodeFile(tx, await cases.remove(tx, by, params.caseId, params.number, body.note)),
  });
}

function changeRoute(cases: CaseService): Route {
  return command({
    ...writes,
    method: 'PATCH',
    path,
    operationId: 'changeCase',
    summary: 'Change the state, the owner or the due date of a case',
    description: 'A second operator decides whether a case is closed. A case is `reported` by recording its filing.',
    fourEyes: {
      action: 'case.close',
      review: async ({ params, body }, tx) => cases.reviewChange(tx, params.caseId, await changeOf(tx, body)),
    },
    returns: 'The case.',
    params: shapes.CasePath,
    body: shapes.ChangedCaseShape,
    answer: shapes.CaseFileShape,
    refusals: ['case_not_found', 'case_transition_not_allowed', 'version_conflict'],
    run: async ({ params, body, by }, tx) =>
      encodeFile(tx, await cases.change(tx, by, params.caseId, await changeOf(tx, body))),
  });
}

function filingRoute(cases: CaseService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: `${path}/filings`,
    operationId: 'recordFiling',
    summary: 'Record that a report was filed with an authority',
    description: 'The service sends nothing to an authority: record here what you filed.',
    returns: 'The case, which is `reported` now.',
    params: shapes.CasePath,
    body: shapes.FilingShape,
    answer: shapes.CaseFileShape,
    refusals: ['case_not_found', 'case_transition_not_allowed'],
    run: async ({ params, body, by }, tx) => encodeFile(tx, await cases.file(tx, by, params.caseId, body)),
  });
}

function reportRoute(reports: ReportService): Route {
  return auditedRead({
    ...described,
    method: 'GET',
    path: `${path}/report`,
    operationId: 'getCaseReport',
    summary: 'Export the report of a case',
    description: 'From the newest narrative, the users and the orders of the case. Check it before you file it.',
    returns: 'The report as text, and what it lacks.',
    params: shapes.CasePath,
    query: shapes.ReportQueryShape,
    answer: shapes.ReportShape,
    refusals: ['case_not_found'],
    async run({ params, query: { format }, by }, tx) {
      const login = (await loginsOf(tx)).get(by.actor.operatorId) ?? '';
      const { mediaType, content, missing } = await reports.make(tx, by, params.caseId, format, login);
      return { format, mediaType, content, missing: [...missing] };
    },
  });
}

async function changeOf(tx: Transaction, body: Static<typeof shapes.ChangedCaseShape>): Promise<CaseChange> {
  const { state, note, version } = body;
  const owner = body.owner === undefined ? undefined : await operatorOf(tx, body.owner);
  return { state, owner, dueAt: readTime('dueAt', body.dueAt), note, version };
}

type Logins = ReadonlyMap<OperatorId, string>;

function encodeCase(found: ComplianceCase, logins: Logins): Static<typeof shapes.ComplianceCaseShape> {
  const { caseId, state, owner, dueAt, openedBy, openedAt, changedAt, version } = found;
  return {
    caseId,
    state,
    owner: (owner && logins.get(owner)) ?? null,
    dueAt: dueAt.toISOString(),
    openedBy: logins.get(openedBy) ?? String(openedBy),
    openedAt: openedAt.toISOString(),
    changedAt: changedAt.toISOString(),
    version,
  };
}

async function encodeFile(database: Queryable, file: CaseFile): Promise<Static<typeof shapes.CaseFileShape>> {
  const merchants = file.items.flatMap(({ merchantId }) => merchantId ?? []);
  const [clientIds, logins] = [await clientIdsOf(database, merchants), await loginsOf(database)];
  const items = file.items.map(
    ({ number, kind, merchantId, reference = null, text = null, addedBy, addedAt, removed }) => ({
      number,
      kind,
      merchant: (merchantId && clientIds.get(merchantId)) ?? null,
      reference,
      text,
      addedBy: logins.get(addedBy) ?? String(addedBy),
      addedAt: addedAt.toISOString(),
      removed: removed
        ? { by: logins.get(removed.by) ?? String(removed.by), at: removed.at.toISOString(), why: removed.why }
        : null,
    }),
  );
  return { ...encodeCase(file.case, logins), title: file.title, items };
}

async function operatorOf(tx: Transaction, login: string): Promise<OperatorId> {
  const [id] = [...(await loginsOf(tx))].find(([, each]) => each === login) ?? [];
  if (id === undefined) throw invalidField('owner', 'not_allowed', 'must be the login of an operator');
  return id;
}

/** The route of the report of a case, for operators. */
import { auditedRead, type Route } from '../../http/route.js';
import { loginsOf } from '../../operators/service.js';
import * as shapes from '../case/schemas.js';
import type { ReportService } from './service.js';

export function reportRoute(reports: ReportService): Route {
  return auditedRead({
    tag: 'Cases',
    access: { token: 'operator', role: 'reviewer' },
    method: 'GET',
    path: '/operator/cases/{caseId}/report',
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

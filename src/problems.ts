/** Collects the error codes of the HTTP server and of all rooms, with their explanations. */
import { approvalProblems } from './approvals/problems.js';
import { bankProblems } from './bank/problems.js';
import { beneficiaryProblems } from './beneficiaries/problems.js';
import { caseProblems } from './cases/problems.js';
import { complaintProblems } from './complaints/problems.js';
import { consoleProblems } from './console/problems.js';
import { countryProblems } from './countries/problems.js';
import { documentProblems } from './documents/problems.js';
import { edgeProblems } from './http/problems/edge-problems.js';
import { composeProblems, type ProblemCatalogue } from './http/problems/problem-catalogue.js';
import { kycProblems } from './kyc/problems.js';
import { ledgerProblems } from './ledger/problems.js';
import { licenseeProblems } from './licensee/problems.js';
import { merchantProblems } from './merchants/problems.js';
import { operationProblems } from './operations/problems.js';
import { operatorProblems } from './operators/problems.js';
import { orderProblems } from './orders/problems.js';
import { paymentProblems } from './payments/problems.js';
import { payoutProblems } from './payouts/problems.js';
import { personProblems } from './persons/problems.js';
import { rateProblems } from './rates/problems.js';
import { requestLogProblems } from './request-log/problems.js';
import { sandboxProblems } from './sandbox/problems.js';
import { taskProblems } from './tasks/problems.js';
import { transferPageProblems } from './transfer-page/problems.js';
import { userProblems } from './users/problems.js';
import { webhookProblems } from './webhooks/problems.js';

export function serviceProblems(): ProblemCatalogue {
  return composeProblems([
    edgeProblems,
    licenseeProblems,
    countryProblems,
    merchantProblems,
    operatorProblems,
    userProblems,
    personProblems,
    caseProblems,
    complaintProblems,
    kycProblems,
    documentProblems,
    beneficiaryProblems,
    orderProblems,
    paymentProblems,
    payoutProblems,
    transferPageProblems,
    operationProblems,
    consoleProblems,
    webhookProblems,
    rateProblems,
    requestLogProblems,
    ledgerProblems,
    bankProblems,
    taskProblems,
    approvalProblems,
    sandboxProblems,
  ]);
}

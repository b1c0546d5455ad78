/** The declared screens of people: identity, screening, cases. */

import type { Screen } from './screen.js';
import { kycDecisions, noteOnPerson } from './variants.js';

export const peopleScreens: readonly Screen[] = [
  {
    operationId: 'listKycQueue',
    title: 'KYC cases',
    columns: ['id', 'submittedAt', 'merchant', 'kycLevel', 'zone', 'status', 'reasons', 'requestedParts'],
    empty: 'No case matches. Cases appear when users send the hosted form.',
  },
  {
    operationId: 'getKycCaseFile',
    title: 'KYC case',
    task: 'kyc_review',
    actions: kycDecisions.map((variant) => ({ operationId: 'decideKycCase', params: { caseId: 'caseId' }, variant })),
  },
  {
    operationId: 'listScreeningHits',
    title: 'Screening hits',
    columns: ['id', 'foundAt', 'merchant', 'userId', 'kind', 'list', 'score', 'isStrong', 'state', 'decidedBy'],
    empty: 'No hit matches. A hit appears when a person resembles an entry of a screening list.',
  },
  {
    operationId: 'getScreeningHit',
    title: 'Screening hit',
    task: 'screening_hit',
    actions: [
      { operationId: 'dismissScreeningHit', params: { hitId: 'hitId' } },
      { operationId: 'confirmScreeningHit', params: { hitId: 'hitId' } },
    ],
  },
  { operationId: 'getLicensee', title: 'Licensee' },
  { operationId: 'getSafeguardingReport', title: 'Safeguarding' },
  {
    operationId: 'listCountryPolicies',
    title: 'Countries',
    columns: ['country', 'residence', 'nationality', 'payout', 'answers', 'isDefault', 'reason'],
    empty: 'Every country is served without further checks.',
    rowCommands: [{ operationId: 'saveCountryPolicy', params: { country: 'country' } }],
  },
  {
    operationId: 'listBlocks',
    title: 'Block list',
    columns: ['blockId', 'kind', 'merchant', 'userId', 'state', 'blockedBy', 'blockedAt', 'liftedAt'],
    empty: 'Nobody and nothing is blocked.',
  },
  { operationId: 'getBlock', title: 'Block' },
  {
    operationId: 'getPerson',
    title: 'Person',
    actions: [{ operationId: 'writeUserNote', params: { userId: 'userId' }, variant: noteOnPerson }],
    links: [
      {
        operationId: 'block',
        params: {},
        values: { merchant: 'merchant', userId: 'userId' },
        constants: { kind: 'person' },
      },
      { operationId: 'placeHold', params: {}, values: { merchant: 'merchant', userId: 'userId' } },
    ],
  },
  { operationId: 'getUserRisk', title: 'Risk of a user' },
  {
    operationId: 'searchPeople',
    title: 'People found',
    isAnswer: true,
    columns: ['userId', 'merchant'],
    empty: 'Nobody fits all of it. Leave something out, and write words in full.',
    record: { operationId: 'getPerson', params: { userId: 'userId' }, query: { merchant: 'merchant' } },
  },
  { operationId: 'replayMonitoringRule', title: 'What the rule would have found', isAnswer: true },
  {
    operationId: 'listAlerts',
    title: 'Alerts',
    columns: ['alertId', 'kind', 'merchant', 'userId', 'facts', 'orderIds', 'state', 'raisedAt'],
    empty: 'No rule found anything. Rules are replayed and enabled under monitoring rules.',
    rowCommands: [{ operationId: 'dismissAlert', params: { alertId: 'alertId' } }],
  },
  {
    operationId: 'listMonitoringRules',
    title: 'Monitoring rules',
    columns: ['ruleId', 'kind', 'parameters', 'isEnabled', 'replayId', 'updatedAt'],
    empty: 'There are no monitoring rules. Replay one over the past first.',
    rowCommands: [{ operationId: 'changeMonitoringRule', params: { ruleId: 'ruleId' } }],
  },
  { operationId: 'getReplay', title: 'Replay of a monitoring rule' },
  {
    operationId: 'listCases',
    title: 'Cases',
    columns: ['caseId', 'state', 'owner', 'dueAt', 'openedBy', 'openedAt'],
    empty: 'No case is open. Open one with an alert.',
  },
  { operationId: 'getCase', title: 'Case' },
  {
    operationId: 'listHolds',
    title: 'Legal holds',
    columns: ['holdId', 'merchant', 'userId', 'placedBy', 'placedAt', 'releasedAt'],
    empty: 'No data is held. A user whom an open case names is held by the case.',
  },
  { operationId: 'getHold', title: 'Legal hold' },
  {
    operationId: 'listComplaints',
    title: 'Complaints',
    columns: ['id', 'dueAt', 'merchant', 'userId', 'orderId', 'kind', 'topic', 'country', 'status'],
    empty: 'No complaint waits for an answer.',
  },
  {
    operationId: 'getComplaint',
    title: 'Complaint',
    actions: [
      { operationId: 'holdComplaint', params: { complaintId: 'complaintId' } },
      { operationId: 'answerComplaint', params: { complaintId: 'complaintId' } },
      { operationId: 'remedyComplaint', params: { complaintId: 'complaintId' } },
    ],
  },
  { operationId: 'getComplaintStatistics', title: 'Complaints counted' },
  { operationId: 'getCaseReport', title: 'Report of a case' },
  {
    operationId: 'listScreeningLists',
    title: 'Screening lists',
    columns: ['name', 'state', 'entries', 'names', 'version', 'loadedAt', 'lastError'],
    empty: 'No screening list is configured. See SCREENING_LISTS in the settings.',
  },
];

/** The error codes of cases and monitoring, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const caseProblems: ProblemCatalogue = {
  case_not_found: { kind: 'not_found', title: 'No such case', remedy: 'Take the id from `GET /operator/cases`.' },
  case_transition_not_allowed: {
    kind: 'conflict',
    title: 'The state of the case does not allow this',
    remedy: '`caseState` is its state. An open case is investigated, then reported or closed.',
    exampleMembers: { caseState: 'closed' },
  },
  case_item_not_removable: {
    kind: 'conflict',
    title: 'This cannot be removed from the case',
    remedy: 'Only a reference can be removed, and only once. What was written stays: write a note that corrects it.',
  },
  hold_not_found: { kind: 'not_found', title: 'No such hold', remedy: 'Take the id from `GET /operator/holds`.' },
  hold_released: {
    kind: 'conflict',
    title: 'The hold was released already',
    remedy: 'It keeps nothing any more. Place another one if the data must stay.',
  },
  alert_not_found: { kind: 'not_found', title: 'No such alert', remedy: 'Take the id from `GET /operator/alerts`.' },
  alert_decided: {
    kind: 'conflict',
    title: 'The alert is already decided',
    remedy: '`alertState` is its state. An alert is dismissed, or becomes part of one case.',
    exampleMembers: { alertState: 'in_case' },
  },
  monitoring_rule_not_found: {
    kind: 'not_found',
    title: 'No such monitoring rule',
    remedy: 'Take the id from `GET /operator/monitoring/rules`.',
  },
  replay_missing: {
    kind: 'conflict',
    title: 'The rule was not replayed with these parameters',
    remedy: 'Call `POST /operator/rules/replay` with them, wait for its report, and send its `replayId`.',
  },
  replay_not_found: {
    kind: 'not_found',
    title: 'No such replay',
    remedy: 'Begin one with `POST /operator/rules/replay`.',
  },
};

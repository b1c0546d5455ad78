/** What the gate asks of every order besides screening, level and rail. */
import type { ExposureService } from '../../kyc/exposure/service.js';
import type { BlockService } from '../../persons/blocks/service.js';
import type { PersonIndex } from '../../persons/service.js';
import { blockListRule } from '../gate/block-list.js';
import { exposureRule } from '../gate/exposure-rule.js';
import type { GateRule } from '../gate/facts.js';
import type { LimitTable } from '../limits/limits.js';
import type { AccountIndex } from './account-index.js';
import { reviewRulesAt } from './gate-rule.js';
import { type CloserLooks, personLimitRule } from './person-limit.js';
import type { ReviewRule } from './rule.js';

export interface GateRuleOptions {
  readonly persons: { readonly service: PersonIndex; readonly blocks: BlockService };
  readonly kyc: { readonly exposures: Pick<ExposureService, 'listUnaccepted'> };
  readonly rules: () => readonly ReviewRule[];
  readonly accounts: AccountIndex;
  readonly limits: LimitTable;
  readonly looks: CloserLooks;
}

export function gateRulesOf({ persons, kyc, rules, accounts, limits, looks }: GateRuleOptions): GateRule[] {
  return [
    blockListRule(persons.blocks),
    exposureRule(kyc.exposures),
    reviewRulesAt(rules, accounts, persons.service),
    personLimitRule({ persons: persons.service, table: limits, looks }),
  ];
}

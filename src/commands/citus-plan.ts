/** `remesa citus-plan`: prints how to spread the merchants of this database over the machines of a Citus cluster. */
import { type Command, InvalidArgumentError } from 'commander';
import { readTables } from '../postgres/citus/catalogue.js';
import { misplaced, planOf } from '../postgres/citus/plan.js';
import { print, say, withDatabase } from './command.js';

const defaultShards = 32;
const mostShards = 1024;

export function addCitusPlanCommand(program: Command): void {
  program
    .command('citus-plan')
    .description('print the SQL that distributes this database by merchant with Citus; change nothing')
    .option('--shards <count>', 'the number of shards', shardCount, defaultShards)
    .action(({ shards }: { shards: number }) => printPlan(shards));
}

function printPlan(shards: number): Promise<void> {
  return withDatabase(async ({ database }) => {
    const tables = await readTables(database);
    if (misplaced(tables).length === 0) return say('All tables are distributed already.');
    print(planOf(tables, shards).join('\n'));
    say('Run this on the coordinator as a superuser, while the service is stopped: psql -v ON_ERROR_STOP=1 -f -');
  });
}

/** Throws `InvalidArgumentError` when the text is not a number of shards. */
function shardCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostShards) return count;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${mostShards}`);
}

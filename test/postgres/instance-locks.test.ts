/** One row decides who may change what belongs to the whole instance. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/postgres/connection.js';
import { lockInstance } from '../../src/postgres/instance.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database } = useTestDatabase();

describe('changes of rates and signing keys', { timeout: 20 * limits.lockTimeoutMs }, () => {
  it('take turns', async () => {
    const second = () => database.transaction(lockInstance);
    await database.transaction(async (tx) => {
      await lockInstance(tx);
      await expect(second()).rejects.toMatchObject({ code: 'database_unavailable' });
    });
    await second();
  });
});

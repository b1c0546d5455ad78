import { expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../src/operators/password.js';

it('computes two hashes at a time, lets 32 callers wait, and refuses the next with overloaded', async () => {
  const hashes = Array.from({ length: 34 }, () => hashPassword('correct horse battery staple'));
  await expect(hashPassword('another')).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' });
  await expect(isPassword('another', undefined)).rejects.toMatchObject({ code: 'overloaded' });
  const [hash] = await Promise.all(hashes);
  expect(await isPassword('correct horse battery staple', hash)).toBe(true);
});

import { expect, it } from 'vitest';
import { Semaphore } from '../../src/worker/semaphore.js';

it('gives out no more permits than it has, and gives them in the order of the calls', async () => {
  const semaphore = new Semaphore(2);
  const acquired: string[] = [];
  const acquire = async (name: string) => {
    const release = await semaphore.acquire();
    acquired.push(name);
    return release;
  };
  const calls = ['a', 'b', 'c', 'd', 'e'].map(acquire);
  const [first, second] = await Promise.all(calls.slice(0, 2));
  expect(acquired).toEqual(['a', 'b']);
  first?.();
  const third = await calls[2];
  expect(acquired).toEqual(['a', 'b', 'c']);
  second?.();
  third?.();
  await Promise.all(calls);
  expect(acquired).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('ignores a second release of the same permit', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const acquired: string[] = [];
  for (const name of ['second', 'third']) void semaphore.acquire().then(() => acquired.push(name));
  release();
  release();
  await new Promise(setImmediate);
  expect(acquired).toEqual(['second']);
});

it('hands a released permit to the caller that waits, and not to a newcomer', async () => {
  const semaphore = new Semaphore(1);
  const acquired: string[] = [];
  const release = await semaphore.acquire();
  void semaphore.acquire().then(() => acquired.push('waiting'));
  release();
  void semaphore.acquire().then(() => acquired.push('newcomer'));
  await new Promise(setImmediate);
  expect(acquired).toEqual(['waiting']);
});

it('is full when no permit is free and as many callers wait as may, and idle when no permit is taken', async () => {
  const semaphore = new Semaphore(1, 1);
  expect([semaphore.isFull, semaphore.isIdle]).toEqual([false, true]);
  const release = await semaphore.acquire();
  expect([semaphore.isFull, semaphore.isIdle]).toEqual([false, false]);
  const waiting = semaphore.acquire();
  expect(semaphore.isFull).toBe(true);
  release();
  expect([semaphore.isFull, semaphore.isIdle]).toEqual([false, false]);
  (await waiting)();
  expect(semaphore.isIdle).toBe(true);
});

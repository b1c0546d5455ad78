import { describe, expect, it } from 'vitest';
import { Shedder } from '../../src/http/traffic/shedding.js';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';

describe('the shedder', () => {
  it('refuses a lane that is full, and no other lane', () => {
    const shedder = new Shedder({ requestsInFlight: 2, eventLoopDelayMs: 10_000 });
    shedder.enter('anonymous');
    expect(shedder.reasonToRefuse('anonymous')).toBe('lane_full');
    expect([shedder.reasonToRefuse('form'), shedder.reasonToRefuse('api')]).toEqual([undefined, undefined]);
    shedder.enter('api');
    expect(shedder.reasonToRefuse('api')).toBeUndefined();
    shedder.enter('api');
    expect(shedder.reasonToRefuse('api')).toBe('lane_full');
    expect([shedder.inFlight, shedder.inLane('api')]).toEqual([3, 2]);
    shedder.leave('api');
    expect(shedder.reasonToRefuse('api')).toBeUndefined();
    shedder.stop();
  });

  it('refuses while the event loop is late, and accepts again when it has caught up', async () => {
    const shedder = new Shedder({ requestsInFlight: 100, eventLoopDelayMs: 100 });
    // A loop that is kept busy: each turn takes longer than the limit.
    let turns = 0;
    await new Promise<void>((resolve) => {
      const turn = () => {
        const until = performance.now() + 200;
        while (performance.now() < until);
        turns += 1;
        if (shedder.reasonToRefuse('api') !== undefined) resolve();
        else if (turns < 20) setTimeout(turn, 0);
        else resolve();
      };
      setTimeout(turn, 0);
    });
    expect(shedder.reasonToRefuse('api')).toBe('event_loop_late');
    await eventually(() => shedder.reasonToRefuse('api') === undefined, {
      withinMs: 2000,
      what: 'the loop catching up',
    });
    shedder.stop();
  });
});

describe('an overloaded service', () => {
  const notes = useNotesService({ settings: { REQUESTS_IN_FLIGHT: '2' } });
  const slowly = (ms: number, signal?: AbortSignal) =>
    fetch(`${notes.service.url}/notes/slowly?ms=${ms}`, {
      method: 'POST',
      headers: { authorization: 'Bearer merchant-1', 'content-type': 'application/json' },
      body: '{"text":"x"}',
      ...(signal ? { signal } : {}),
    });
  const inFlight = async () => {
    const { text } = await notes.anywhere.get('/metrics');
    return Number(/^remesa_http_requests_in_flight (\d+)$/m.exec(text)?.[1]);
  };

  it('refuses the next request at once, finishes those it accepted, and still answers probes', async () => {
    let served = 0;
    const taken = [slowly(2000), slowly(2000)].map((answer) =>
      answer.finally(() => {
        served += 1;
      }),
    );
    await eventually(async () => (await inFlight()) === 2);
    const refused = await notes.api.get('/notes/empty', { token: 'merchant-1' });
    expect(served).toBe(0);
    expect(refused.json).toMatchObject({ status: 503, code: 'overloaded' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-request-id')).toBe(refused.json.requestId);
    expect((await notes.api.get('/livez')).status).toBe(200);
    expect((await notes.api.get('/readyz')).status).toBe(200);
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200]);
    await eventually(async () => (await inFlight()) === 0);
    expect((await notes.api.get('/notes/empty', { token: 'merchant-1' })).status).toBe(200);
  });

  it('stops counting a request whose caller has disconnected', async () => {
    const impatient = new AbortController();
    const gone = [slowly(300, impatient.signal), slowly(300, impatient.signal)];
    await eventually(async () => (await inFlight()) === 2);
    impatient.abort();
    await Promise.allSettled(gone);
    await eventually(async () => (await inFlight()) === 0);
    expect((await notes.api.get('/notes/empty', { token: 'merchant-1' })).status).toBe(200);
  });

  it('does not count a refused request', async () => {
    const taken = [slowly(300), slowly(300)];
    await eventually(async () => (await inFlight()) === 2);
    await Promise.all([1, 2, 3, 4].map(() => notes.api.get('/notes/empty', { token: 'merchant-1' })));
    expect(await inFlight()).toBe(2);
    await Promise.all(taken);
    await eventually(async () => (await inFlight()) === 0);
  });
});

/** What the receiver noted, by a clock that all processes of the machine share. */

export type Arrivals = ReadonlyMap<string, number>;

/** Since some moment that is the same for every process. */
export function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The first arrival of each since the last time that was asked. */
export async function takeArrivals(receiver: string): Promise<Arrivals> {
  const seen = (await (await fetch(`${receiver}/seen`)).json()) as [string, number][];
  const first = new Map<string, number>();
  for (const [id, at] of seen) if (!first.has(id)) first.set(id, at);
  return first;
}

/** Throws when not all have arrived after two minutes. */
export async function untilArrived(receiver: string, count: number): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const arrived = Number(await (await fetch(`${receiver}/count`)).text());
    if (arrived >= count) return;
    if (performance.now() > deadline) throw new Error(`${arrived} of ${count} arrived`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

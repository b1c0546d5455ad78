/** A browser that follows the page of an order: what it is told, as it comes. */
import { eventually } from '../harness/eventually.js';

export interface Following {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that was sent so far. */
  text(): string;
  /** The ids of the events so far. */
  ids(): readonly string[];
  hasEnded(): boolean;
  ended(): Promise<void>;
  close(): void;
}

export async function follow(url: string, lastEventId?: string): Promise<Following> {
  const controller = new AbortController();
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const answer = await fetch(`${url}/live`, { headers, signal: controller.signal });
  let text = '';
  let isOver = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk as Uint8Array);
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    status: answer.status,
    headers: answer.headers,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id),
    hasEnded: () => isOver,
    ended: async () => void (await eventually(() => isOver, { what: 'the end of the stream' })),
    close: () => {
      controller.abort();
      void reading;
    },
  };
}

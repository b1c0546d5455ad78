/** `npm run demo`: plays a transfer or a story against a service, and fails unless everything really happened. */
import { Client, type Credentials, DemoFailed } from './client.js';
import { showEvidence, showReceipt, showWhereNext } from './evidence.js';
import type { FindBrowser } from './form.js';
import { Inbox } from './inbox.js';
import type { Screen } from './screen.js';
import { listStories, playStory } from './story.js';
import { playTransfer } from './transfer.js';

export interface DemoOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly screen: Screen;
  /** A story of the sandbox; undefined: the whole transfer, request by request. */
  readonly story: string | undefined;
  /** Only lists the stories. */
  readonly isList: boolean;
  readonly findBrowser: FindBrowser;
}

/** Returns whether everything happened. */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { screen, story } = options;
  const subtitle =
    story === undefined ? 'A whole transfer, as a merchant’s program sees it' : `The story ${story}`;
  screen.title('Remesa', `${subtitle}. Nothing here moves real money.`);
  try {
    await play(options);
    return true;
  } catch (error) {
    if (!(error instanceof DemoFailed) && !isUnreachable(error)) throw error;
    screen.failure(error instanceof DemoFailed ? error.message : `Nothing answers at ${options.url}.`);
    screen.end(false, 'Not everything happened.');
    return false;
  }
}

async function play({ url, credentials, screen, story, isList, findBrowser }: DemoOptions): Promise<void> {
  const client = new Client(url, screen);
  await screen.chapter('Sign in');
  await client.signIn(credentials);
  if (isList) return listStories(client);
  await screen.chapter('Say where notifications go: to a receiver in this program');
  const inbox = new Inbox(client);
  await inbox.open();
  try {
    const orderId =
      story === undefined
        ? await playTransfer(client, inbox, findBrowser)
        : await playStory(client, inbox, story);
    await showEvidence(client, inbox, orderId);
    if (story === undefined) await showReceipt(client, orderId);
    showWhereNext(client, orderId);
  } finally {
    await inbox.close();
  }
  screen.end(true, 'Everything really happened.');
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

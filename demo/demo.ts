/** `npm run demo`: plays a transfer or a story against a service, and fails unless everything really happened. */
import { Client, type Credentials, DemoFailed } from './client.js';
import { showEvidence, showWhereNext } from './evidence.js';
import type { FindBrowser } from './form.js';
import { Inbox } from './inbox.js';
import type { Screen } from './screen.js';
import { findStory, listStories, playStory } from './story.js';
import { playTransfer } from './transfer.js';

export interface DemoOptions {
  readonly url: string;
  /** Whether the service goes on after the demo. */
  readonly isKept: boolean;
  readonly credentials: Credentials;
  readonly screen: Screen;
  /** A story of the sandbox; undefined: the whole transfer, request by request. */
  readonly story: string | undefined;
  /** Only lists the stories. */
  readonly isList: boolean;
  readonly findBrowser: FindBrowser;
}

/** `happened`: everything did. `stopped`: somebody did not want to see the end. */
export type Outcome = 'happened' | 'failed' | 'stopped';

export async function runDemo(options: DemoOptions): Promise<Outcome> {
  const { screen, story, isList } = options;
  screen.title('Remesa', `${subtitleOf(story, isList)} No real money moves.`);
  try {
    await play(options);
    return 'happened';
  } catch (error) {
    if (screen.options.signal.aborted) {
      screen.end(false, 'Stopped.');
      return 'stopped';
    }
    if (!(error instanceof DemoFailed) && !isUnreachable(error)) throw error;
    screen.failure(error instanceof DemoFailed ? error.message : `Nothing answers at ${options.url}.`);
    screen.end(false, 'Not everything happened.');
    return 'failed';
  }
}

function subtitleOf(story: string | undefined, isList: boolean): string {
  if (isList) return 'The stories that the sandbox can play.';
  return story === undefined ? 'A whole transfer, as a merchant’s program sees it.' : `The story ${story}.`;
}

async function play(options: DemoOptions): Promise<void> {
  const { url, credentials, screen, story, isList, findBrowser } = options;
  const client = new Client(url, screen);
  await screen.chapter('Sign in');
  await client.signIn(credentials);
  if (isList) return listStories(client);
  const scenario = story === undefined ? undefined : await findStory(client, story);
  await screen.chapter('Create a merchant for this demo: other merchants are not touched');
  const merchant: Credentials = await client.post('/sandbox/merchants', { name: 'Demo' }, { show: ['clientId'] });
  await client.signIn(merchant);
  await screen.chapter('Register where notifications go: a receiver in this program');
  const inbox = new Inbox(client);
  try {
    await inbox.open();
    const orderId = scenario
      ? await playStory(client, inbox, scenario)
      : await playTransfer(client, inbox, findBrowser);
    await showEvidence(client, inbox, orderId);
    showWhereNext(client, { orderId, merchant, isKept: options.isKept });
  } finally {
    await inbox.close();
  }
  screen.end(true, 'Everything really happened.');
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

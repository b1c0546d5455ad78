/** `npm run demo`: plays a transfer or a story against a service, and fails unless everything really happened. */
import { NoAnswer, RemesaError, Unauthorized } from '../packages/client/src/index.js';
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
    screen.failure(messageOf(error, options.url));
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
  const first = new Client(url, screen, credentials);
  if (isList) return listStories(first);
  const scenario = story === undefined ? undefined : await findStory(first, story);
  await screen.chapter('Sign in, and create a merchant for this demo: other merchants are not touched');
  const merchant = await first.show(({ sandbox }) => sandbox.createMerchant({ name: 'Demo' }), ['clientId']);
  const client = new Client(url, screen, merchant);
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

/** Throws what is a fault of this program. */
function messageOf(error: unknown, url: string): string {
  if (error instanceof NoAnswer) return `Nothing answers at ${url}.`;
  if (error instanceof Unauthorized) return 'The service gave no token. Check --client-id and --client-secret.';
  if (error instanceof RemesaError || error instanceof DemoFailed) return error.message;
  throw error;
}

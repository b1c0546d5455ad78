/** Plays a story of the sandbox, and shows its steps and notifications as they happen. */
import { type Client, DemoFailed, type Json } from './client.js';
import { channels, type Inbox } from './inbox.js';

const patienceMs = 120_000;
const betweenLooksMs = 100;

/** Throws `DemoFailed` with the names of all stories when there is none of this name. */
export async function findStory(client: Client, name: string): Promise<Json> {
  const stories: Json[] = await client.get('/sandbox/scenarios', { isSilent: true });
  const story = stories.find((known) => known.name === name);
  if (story) return story;
  client.screen.line();
  client.screen.note('The stories are:');
  client.screen.names(stories.map((known) => known.name));
  client.screen.line();
  throw new DemoFailed(`There is no story ${name}.`);
}

/** Returns the id of the order of the story. Throws `DemoFailed` unless it ended as promised. */
export async function playStory(client: Client, inbox: Inbox, story: Json): Promise<string> {
  const { screen } = client;
  await screen.chapter(plain(story.description));
  screen.note(`What you learn: ${plain(story.teaches)}`);
  const body = { name: story.name };
  const begun = await client.post('/sandbox/scenarios', body, { show: ['id', 'stepsInAll', 'nextStep'] });
  const run = await follow(client, inbox, story, begun.id);
  await inbox.waitFor(story.events.order.at(-1), run.orderId);
  await screen.chapter(`The story has ended: the order is ${run.status}`);
  if (run.status !== story.endsAs) throw new DemoFailed(`It should have ended as ${story.endsAs}.`);
  await checkEvents(client, inbox, story, run);
  return run.orderId;
}

export async function listStories(client: Client): Promise<void> {
  const { screen } = client;
  const stories: Json[] = await client.get('/sandbox/scenarios', { isSilent: true });
  screen.heading('Stories');
  screen.table(stories.map(({ name, teaches }) => [name, plain(teaches)]));
  screen.line();
  screen.note('Play one: npm run demo -- --story <name>');
}

/** Shows each step when it is done. */
async function follow(client: Client, inbox: Inbox, story: Json, id: string): Promise<Json> {
  const { screen } = client;
  let shown = 0;
  for (const until = Date.now() + patienceMs; Date.now() < until; await screen.wait(betweenLooksMs)) {
    const run = await client.get(`/sandbox/scenarios/runs/${id}`, { isSilent: true });
    for (; shown < run.stepsDone; shown += 1) {
      await screen.chapter(story.steps[shown]);
      inbox.show();
    }
    if (run.failure !== undefined) throw new DemoFailed(run.failure);
    if (run.isFinished) return run;
  }
  throw new DemoFailed('The story did not end in time.');
}

async function checkEvents(client: Client, inbox: Inbox, story: Json, run: Json): Promise<void> {
  const [kycCase] = await client.get(`/kyc/cases?userId=${run.userId}`, { isSilent: true });
  const subjects = { kyc: kycCase.id, order: run.orderId };
  for (const channel of channels) {
    const came = inbox.typesOf(channel, subjects[channel]);
    if (came.join() !== story.events[channel].join())
      throw new DemoFailed(
        `On the channel ${channel} came ${came.join(', ')} instead of ${story.events[channel].join(', ')}.`,
      );
  }
  client.screen.fact('these are exactly the notifications that the story promises');
}

/** Without the marks of code, which a terminal does not show. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

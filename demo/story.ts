/** Plays a story of the sandbox, and shows its steps and notifications as they happen. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, DemoFailed, type Json } from './client.js';
import { channels, type Inbox } from './inbox.js';

const patienceMs = 120_000;

/** Returns the id of the order of the story. Throws `DemoFailed` unless it ended as promised. */
export async function playStory(client: Client, inbox: Inbox, name: string): Promise<string> {
  const { screen } = client;
  const story = await findStory(client, name);
  await screen.chapter(story.description);
  screen.note(`You learn: ${story.teaches}`);
  const begun = await client.post('/sandbox/scenarios', { name }, { show: ['id', 'name', 'isFinished'] });
  const run = await follow(client, inbox, story, begun.id);
  await screen.chapter(`The story has ended: the order is ${run.status}`);
  if (run.status !== story.endsAs) throw new DemoFailed(`It should have ended as ${story.endsAs}.`);
  await inbox.waitFor(story.events.order.at(-1), run.orderId);
  await checkEvents(client, inbox, story, run);
  return run.orderId;
}

export async function listStories(client: Client): Promise<void> {
  const stories: Json[] = await client.get('/sandbox/scenarios', { isSilent: true });
  client.screen.heading('Stories');
  client.screen.table(stories.map(({ name, teaches }) => [name, teaches]));
  client.screen.line();
  client.screen.note('npm run demo -- --story <name>');
}

async function findStory(client: Client, name: string): Promise<Json> {
  const stories: Json[] = await client.get('/sandbox/scenarios', { isSilent: true });
  const story = stories.find((known) => known.name === name);
  if (!story) throw new DemoFailed(`There is no story ${name}. See npm run demo -- --list.`);
  return story;
}

/** Shows each step when it is done. */
async function follow(client: Client, inbox: Inbox, story: Json, id: string): Promise<Json> {
  let shown = 0;
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(100)) {
    const run = await client.get(`/sandbox/scenarios/runs/${id}`, { isSilent: true });
    for (; shown < run.stepsDone; shown += 1) {
      await client.screen.chapter(story.steps[shown]);
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
      throw new DemoFailed(`On the channel ${channel} came ${came}, and not ${story.events[channel]}.`);
  }
  client.screen.fact('the notifications are exactly those that the story promises, in this order');
}

/** Plays a story of the sandbox, and shows its steps and notifications as they happen. */
import type { Scenario, ScenarioRun } from '../packages/client/src/index.js';
import { type Client, DemoFailed } from './client.js';
import { channels, type Inbox } from './inbox.js';

const patienceMs = 120_000;
const betweenLooksMs = 100;

/** Throws `DemoFailed` with the names of all stories when there is none of this name. */
export async function findStory(client: Client, name: string): Promise<Scenario> {
  const stories = await client.remesa.sandbox.scenarios();
  const story = stories.find((known) => known.name === name);
  if (story) return story;
  client.screen.line();
  client.screen.note('The stories are:');
  client.screen.names(stories.map((known) => known.name));
  client.screen.line();
  throw new DemoFailed(`There is no story ${name}.`);
}

/** Returns the id of the order of the story. Throws `DemoFailed` unless it ended as promised. */
export async function playStory(client: Client, inbox: Inbox, story: Scenario): Promise<string> {
  const { screen } = client;
  await screen.chapter(plain(story.description));
  screen.note(`What you learn: ${plain(story.teaches)}`);
  const begun = await client.show(
    ({ sandbox }) => sandbox.playScenario({ name: story.name }),
    ['id', 'stepsInAll', 'nextStep'],
  );
  const { orderId, ...run } = await follow(client, inbox, story, begun.id);
  const last = story.events.order.at(-1);
  if (last === undefined || orderId === undefined) throw new DemoFailed('The story placed no order.');
  await inbox.waitFor(last, orderId);
  await screen.chapter(`The story has ended: the order is ${run.status}`);
  if (run.status !== story.endsAs) throw new DemoFailed(`It should have ended as ${story.endsAs}.`);
  await checkEvents(client, inbox, story, { ...run, orderId });
  return orderId;
}

export async function listStories(client: Client): Promise<void> {
  const { screen } = client;
  const stories = await client.remesa.sandbox.scenarios();
  screen.heading('Stories');
  screen.table(stories.map(({ name, teaches }) => [name, plain(teaches)]));
  screen.line();
  screen.note('Play one: npm run demo -- --story <name>');
}

/** Shows each step when it is done. */
async function follow(client: Client, inbox: Inbox, story: Scenario, id: string): Promise<ScenarioRun> {
  const { screen } = client;
  let shown = 0;
  for (const until = Date.now() + patienceMs; Date.now() < until; await screen.wait(betweenLooksMs)) {
    const run = await client.remesa.sandbox.scenarioRun(id);
    for (; shown < run.stepsDone; shown += 1) {
      await screen.chapter(story.steps[shown] ?? '');
      inbox.show();
    }
    if (run.failure !== undefined) throw new DemoFailed(run.failure);
    if (run.isFinished) return run;
  }
  throw new DemoFailed('The story did not end in time.');
}

async function checkEvents(
  client: Client,
  inbox: Inbox,
  story: Scenario,
  run: Pick<ScenarioRun, 'userId'> & { readonly orderId: string },
): Promise<void> {
  const [kycCase] = run.userId === undefined ? [] : await client.remesa.kyc.cases({ userId: run.userId });
  if (!kycCase) throw new DemoFailed('The story verified nobody.');
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

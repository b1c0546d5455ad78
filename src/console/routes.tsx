/** The routes of the console: a page for each GET of the operators' API, one form for all commands, its own pages. */
import Type from 'typebox';
import type { Failure, PageAnswer } from '../http/page.js';
import { page, post } from '../http/page-route.js';
import type { Route } from '../http/route.js';
import type { Desk } from './desk.js';
import { consoleAssets } from './frame/assets.js';
import { framed } from './frame/layout.js';
import { speculationRoute } from './frame/speculation.js';
import { sendCommand, showCommand } from './handlers/command-page.js';
import { commandsPage } from './handlers/commands-page.js';
import { healthPage } from './handlers/health-page.js';
import { readingPage } from './handlers/reading-page.js';
import { searchPage, sendSearch } from './handlers/search-page.js';
import { addressOf } from './screens/finding.js';
import { AccountHandlers } from './sign-in/account.js';
import { SignInHandlers } from './sign-in/handlers.js';

const CommandPath = Type.Object({ operationId: Type.String({ maxLength: 100, examples: ['claimTask'] }) });

export function consoleRoutes(desk: Desk): Route[] {
  const described = {
    tag: 'Operators',
    access: { token: 'none' },
    hidden: true,
    showFailure: failureOf(desk),
  } as const;
  const shown = (path: string, name: string, run: Parameters<typeof page>[0]['run']) =>
    page({ ...described, method: 'GET', path, operationId: `console_${name}`, summary: `Console: ${name}`, run });
  const sent = (path: string, name: string, run: Parameters<typeof post>[0]['run']) =>
    post({ ...described, method: 'POST', path, operationId: `console_${name}`, summary: `Console: ${name}`, run });
  const signIn = new SignInHandlers(desk);
  const account = new AccountHandlers(desk);
  return [
    shown('/console/sign-in', 'sign_in', (visit, database) => signIn.show(visit, database)),
    sent('/console/sign-in', 'send_sign_in', (visit) => signIn.signIn(visit)),
    shown('/console/sign-in/code', 'code', (visit) => signIn.showCode(visit)),
    sent('/console/sign-in/code', 'send_code', (visit) => signIn.enterCode(visit)),
    sent('/console/sign-out', 'sign_out', (visit, database) => signIn.signOut(visit, database)),
    shown('/console/account', 'account', (visit, database) => account.show(visit, database)),
    sent('/console/account/sessions', 'end_session', (visit, database) => account.endSession(visit, database)),
    sent('/console/account/password', 'password', (visit, database) => account.changePassword(visit, database)),
    shown('/console/account/second-factor', 'second_factor', (visit, database) =>
      account.showSecondFactor(visit, database),
    ),
    sent('/console/account/second-factor', 'set_second_factor', (visit, database) =>
      account.setSecondFactor(visit, database),
    ),
    shown('/console/search', 'search', (visit, database) => searchPage(desk, visit, database)),
    sent('/console/search', 'send_search', (visit, database) => sendSearch(desk, visit, database)),
    shown('/console/health', 'health', (visit, database) => healthPage(desk, visit, database)),
    shown('/console/commands', 'commands', (visit, database) => commandsPage(desk, visit, database)),
    page({
      ...described,
      method: 'GET',
      path: '/console/do/{operationId}',
      operationId: 'console_show_command',
      summary: 'Console: the form of a command',
      params: CommandPath,
      run: (visit, database) => showCommand(desk, visit, database),
    }),
    post({
      ...described,
      method: 'POST',
      path: '/console/do/{operationId}',
      operationId: 'console_send_command',
      summary: 'Console: carry out a command',
      params: CommandPath,
      run: (visit, database) => sendCommand(desk, visit, database),
    }),
    ...readings(desk, described),
    speculationRoute(desk.routes),
    ...consoleAssets.routes(),
  ];
}

type Described = Pick<Parameters<typeof page>[0], 'tag' | 'access' | 'hidden' | 'showFailure'>;

/** The address of a page is that of the API, with `/console` instead of `/operator`; Work is the start. */
function readings(desk: Desk, described: Described): Route[] {
  return desk.routes
    .filter(({ method }) => method === 'GET')
    .map((route) =>
      page({
        ...described,
        method: 'GET',
        path: addressOfRoute(route),
        operationId: `console_${route.operationId}`,
        summary: `Console: ${route.summary}`,
        ...(route.params ? { params: route.params } : {}),
        run: (visit, database) => readingPage(desk, route, visit, database),
      }),
    );
}

function addressOfRoute(route: Route): string {
  const names = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([braced, name = '']) => [name, braced]));
  return decodeURIComponent(addressOf(route, names));
}

/** A failure outside of a signed-in page. */
function failureOf(desk: Desk): (failure: Failure) => PageAnswer {
  return ({ status, code, requestId }) => {
    const { title = 'Something went wrong', remedy = 'Try again.' } = desk.options.problems[code] ?? {};
    return framed({
      title,
      status,
      isSandbox: desk.isSandbox,
      children: (
        <div class="door refused">
          <h1>{title}</h1>
          <p>{remedy}</p>
          <p>
            <a href="/console">To the console</a>
          </p>
          <p class="hint">
            Code <code>{code}</code>, request <code>{requestId}</code>
          </p>
        </div>
      ),
    });
  };
}

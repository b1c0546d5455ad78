/** Every command of the operators' API, by its subject. Those that need a record are reached from the record. */
import type { PageAnswer } from '../../http/page.js';
import type { CommandRoute } from '../../http/route.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { formAddress, isCommand, mayCall, namesOfParams, sourceOf } from '../screens/finding.js';
import type { Visitor } from '../visitor.js';

export function commandsPage(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, (visitor) => {
    const commands = desk.routes.filter(isCommand);
    const tags = [...new Set(commands.map(({ tag }) => tag))];
    return desk.framed(visitor, {
      title: 'All commands',
      address: '/console/commands',
      children: (
        <>
          <h1>All commands</h1>
          <p class="lead">What the API can do, the console can do. A command on a record stands on its page.</p>
          {tags.map((tag) => (
            <section key={tag} class="part">
              <h2>{tag.replace(/ for operators$/, '')}</h2>
              <ul class="commands-list">
                {commands
                  .filter((command) => command.tag === tag)
                  .map((command) => (
                    <li key={command.operationId}>
                      <Entry desk={desk} visitor={visitor} command={command} />
                    </li>
                  ))}
              </ul>
            </section>
          ))}
        </>
      ),
    });
  });
}

function Entry({
  desk,
  visitor,
  command,
}: {
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly command: CommandRoute;
}) {
  const source = sourceOf(desk.routes, command);
  const role = command.access.token === 'operator' ? command.access.role : '';
  if (!mayCall(visitor.caller, command))
    return <span class="none">{`${command.summary} (needs the role ${role})`}</span>;
  if (namesOfParams(command).length === 0) return <a href={formAddress(command)}>{command.summary}</a>;
  const list =
    source && desk.routes.find(({ path, method }) => method === 'GET' && path === source.path.split('/{')[0]);
  return (
    <>
      {command.summary}
      {list ? (
        <>
          , from <a href={list.path.replace(/^\/operator/, '/console')}>{list.summary.toLowerCase()}</a>
        </>
      ) : null}
    </>
  );
}

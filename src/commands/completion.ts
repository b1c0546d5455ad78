/** `remesa completion <shell>` prints a script with which the shell completes commands and options. */
import { Argument, type Command } from 'commander';
import { print } from './command.js';

type Shell = 'bash' | 'zsh' | 'fish';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which your shell completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action((shell: Shell) => print(scriptFor(shell, entriesOf(program))));
}

const examples = `
Examples:
  source <(remesa completion bash)                   for this shell; in ~/.bashrc for every one
  source <(remesa completion zsh)                    after compinit, in ~/.zshrc
  remesa completion fish > ~/.config/fish/completions/remesa.fish`;

interface Entry {
  /** The commands that lead here, such as `events list`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** What can follow each command, the deepest first. */
function entriesOf(command: Command, path: readonly string[] = []): Entry[] {
  const below = command.commands.flatMap((each) => entriesOf(each, [...path, each.name()]));
  const names = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  return [...below, { path: path.join(' '), words: [...names, ...options, '--help'] }];
}

function scriptFor(shell: Shell, entries: readonly Entry[]): string {
  if (shell === 'fish') return fishScript(entries);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript(entries)}` : bashScript(entries);
}

function bashScript(entries: readonly Entry[]): string {
  const cases = entries.map(
    ({ path, words }) => `    ' ${path}${path === '' ? '' : ' '}'*) words='${words.join(' ')}' ;;`,
  );
  return `_remesa() {
  local given=' ' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || given="$given$word "; done
  case "$given" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _remesa remesa`;
}

function fishScript(entries: readonly Entry[]): string {
  const lines = entries.map(({ path, words }) => {
    const parents = path === '' ? [] : path.split(' ');
    const isHere = parents.map((name) => `__fish_seen_subcommand_from ${name}`);
    const condition = isHere.length === 0 ? '__fish_use_subcommand' : isHere.join('; and ');
    return `complete -c remesa -f -n '${condition}' -a '${words.join(' ')}'`;
  });
  return lines.join('\n');
}

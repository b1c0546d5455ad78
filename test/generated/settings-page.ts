/** Writes docs/settings.md: each setting with its default from the code, and its effect from .env.example. */
import { settings } from '../../src/config/config.js';
import { liveNeeds } from '../../src/config/live-needs.js';
import { readText } from '../house/repository.js';

export function settingsPage(): string {
  return `# Settings

Set them in the environment, or in a file \`.env\` in the folder where you start Remesa (\`--settings PATH\` names another file). The environment takes
precedence. A secret may also be in a file whose path is the value of the same name with \`_FILE\`. \`./bin/remesa config check\` says what holds and what
is wrong, and starts nothing.

## What live needs

| Setting | | Without it |
|---|---|---|
${liveNeeds.map(({ name, isRequired, without }) => `| \`${name}\` | ${isRequired ? 'required' : 'needed for a first transfer'} | ${without} |`).join('\n')}

Behind a proxy on another machine set also \`HOST\`; keep \`/operator\` and \`/metrics\` away from the internet with \`OPERATOR_PORT\`.

## All settings

| Setting | Default | Effect |
|---|---|---|
${Object.entries(settings)
  .map(([name, { defaultText, secret }]) => row(name, defaultText, secret))
  .join('\n')}
`;
}

function row(name: string, defaultText: string | undefined, isSecret: boolean): string {
  const shownDefault = defaultText ? `\`${defaultText.replaceAll(',', ', ')}\`` : '';
  const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
  return `| ${names} | ${shownDefault} | ${effectOf(name)} |`;
}

/** The comment above the setting. Settings that stand together share one. */
function effectOf(name: string): string {
  const paragraph = readText('.env.example')
    .split('\n\n')
    .find((text) => new RegExp(`^# ${name}=`, 'm').test(text));
  const lines = (paragraph ?? '').split('\n').map((line) => line.replace(/^# ?/, ''));
  return lines
    .filter((line) => !/^[A-Z][A-Z0-9_]*=/.test(line))
    .join(' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}

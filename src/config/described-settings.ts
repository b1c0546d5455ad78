/** The settings as they hold, with where each comes from. Secrets are never shown. */
import type { Environment } from './read-setting.js';
import type { Setting } from './settings.js';

export interface DescribedSetting {
  readonly name: string;
  /** Undefined when it has no value. */
  readonly value: string | undefined;
  readonly from: 'default' | 'file' | 'environment';
}

/** Their addresses may contain an API key. */
const hidden = new Set(['RATE_SOURCES']);

export function describeSettings(
  settings: Readonly<Record<string, Setting<unknown>>>,
  { environment, file }: { readonly environment: Environment; readonly file: Environment },
): DescribedSetting[] {
  return Object.entries(settings).map(([name, setting]) => {
    const found = find(name, setting, environment) ?? find(name, setting, file);
    if (!found) return { name, value: setting.defaultText || undefined, from: 'default' };
    return { name, value: shown(name, setting, found), from: environment[found.name] ? 'environment' : 'file' };
  });
}

interface Found {
  readonly name: string;
  readonly text: string;
}

function find(name: string, setting: Setting<unknown>, texts: Environment): Found | undefined {
  const names = setting.secret ? [name, `${name}_FILE`] : [name];
  return names.flatMap((candidate) => ({ name: candidate, text: texts[candidate] ?? '' })).find(({ text }) => text);
}

function shown(name: string, setting: Setting<unknown>, found: Found): string {
  if (found.name !== name) return `(in the file ${found.text})`;
  return setting.secret || hidden.has(name) ? '(set, not shown)' : found.text;
}

/** Reads one setting from the environment, from `.env`, or from the file that `<NAME>_FILE` names. */
import { readFileSync } from 'node:fs';
import { Fault, type Setting } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Adds what is wrong with the text to `faultByName`, and returns undefined then. */
export function readSetting(
  name: string,
  setting: Setting<unknown>,
  texts: Environment,
  faultByName: Map<string, string>,
): unknown {
  const configured = setting.secret ? readSecret(name, texts) : texts[name];
  if (configured instanceof Fault) {
    faultByName.set(name, configured.message);
    return undefined;
  }
  const text = configured === undefined || configured === '' ? setting.defaultText : configured;
  if (text === undefined) return undefined;
  const value = setting.parse(text);
  if (!(value instanceof Fault)) return value;
  faultByName.set(name, `${name} ${value.message}`);
  return undefined;
}

function readSecret(name: string, texts: Environment): string | undefined | Fault {
  const direct = texts[name];
  const file = texts[`${name}_FILE`];
  if (!file) return direct;
  if (direct) return new Fault(`${name} and ${name}_FILE are both set; only one may be`);
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret === '' ? new Fault(`${name}_FILE names an empty file`) : secret;
  } catch (error) {
    return new Fault(`${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

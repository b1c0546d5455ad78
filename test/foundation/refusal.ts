/** Returns the faults that the operator reads when settings are wrong. */
import { readConfig } from '../../src/config/config.js';
import { StartupRefused } from '../../src/errors.js';

export function faultsOf(environment: Record<string, string>): string[] {
  const [, ...faults] = refusalOf(environment).split('\n  - ');
  return faults;
}

export function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof StartupRefused) return error.message;
    throw error;
  }
  return '';
}

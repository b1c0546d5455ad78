/** Chooses a few rounds or cases for `npm test`, and the full number for `npm run test:faults`. */
export function rounds<T>(few: T, full: T): T {
  return process.env.FAULTS === 'full' ? full : few;
}

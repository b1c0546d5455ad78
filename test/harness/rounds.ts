/** Fault tests run a few rounds in `npm test`, and their full count in `npm run test:faults`. */
export function rounds(few: number, full: number): number {
  return process.env.FAULTS === 'full' ? full : few;
}

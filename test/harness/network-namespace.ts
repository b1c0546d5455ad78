/**
 * Programs in a network and a mount table of their own, where every address in the world leads to the program itself.
 */
import { spawnSync } from 'node:child_process';

const ways = [
  ['--net', '--mount'],
  ['--user', '--map-root-user', '--net', '--mount'],
];
/** In the namespace, before the program: every address is one of this machine's. */
const everyAddressIsHere = [
  'ip link set lo up',
  'ip route add local 0.0.0.0/0 dev lo',
  'ip -6 route add local ::/0 dev lo',
].join(' && ');

/** The command that runs another in such a namespace, or the reason why there is none. */
export function namespaceCommand(): readonly string[] | string {
  if (process.platform !== 'linux') return 'network namespaces are a thing of Linux';
  let reason = '';
  for (const way of ways) {
    const command = ['unshare', ...way, 'sh', '-c', `${everyAddressIsHere} && exec "$@"`, 'sh'];
    const [program = '', ...args] = [...command, 'true'];
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    if (status === 0) return command;
    reason = error?.message ?? stderr.trim();
  }
  return reason;
}

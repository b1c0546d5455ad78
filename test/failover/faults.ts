/** What is done to the primary, and how it is undone. */
import type { Cluster } from './cluster.js';
import type { Machine } from './machine.js';

export interface Fault {
  readonly name: string;
  readonly harm: (cluster: Cluster, primary: Machine) => Promise<void> | void;
  readonly heal: (cluster: Cluster, primary: Machine) => Promise<void> | void;
}

export const faults: readonly Fault[] = [
  {
    name: 'killed',
    harm: (_cluster, primary) => primary.kill(),
    heal: (_cluster, primary) => primary.start(),
  },
  {
    name: 'frozen',
    harm: (_cluster, primary) => primary.freeze(),
    heal: (_cluster, primary) => primary.thaw(),
  },
  {
    // The dangerous cut: clients still reach the old primary.
    name: 'cut off from its peers',
    harm: (_cluster, primary) => primary.cut('peers'),
    heal: (_cluster, primary) => primary.reconnect(),
  },
  {
    name: 'cut off from everyone',
    harm: (_cluster, primary) => primary.cut('peers', 'clients'),
    heal: (_cluster, primary) => primary.reconnect(),
  },
  {
    name: 'switched over',
    harm: (cluster, primary) => cluster.switchOver(primary),
    heal: () => {},
  },
];

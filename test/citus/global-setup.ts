/** Test files on the cluster of CITUS_URL: each gets a database that is copied from a distributed template. */
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { newFolderOfRun } from '../harness/folder-of-run.js';
import { dropEverywhere, findCluster, makeTemplate } from './cluster.js';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.CITUS_URL;
  if (!url) throw new Error('set CITUS_URL to the address of a coordinator');
  const cluster = await findCluster(url);
  const { end } = newFolderOfRun();
  const template = `remesa_template_${randomBytes(4).toString('hex')}`;
  await makeTemplate(cluster, template);
  project.provide('postgresUrl', cluster.coordinator);
  project.provide('otherServers', cluster.workers);
  project.provide('template', template);
  project.provide('programFolder', '');
  return async () => {
    await dropEverywhere(cluster, template);
    await end();
  };
}

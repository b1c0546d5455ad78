/** What deployers copy and the code or another file decides. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readText } from '../house/repository.js';
import { dashboard } from './dashboard.js';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

it('deploy/grafana/remesa.json is what the panels say (npm run generate renews it)', async () => {
  await expect(dashboard()).toMatchFileSnapshot(at('deploy/grafana/remesa.json'));
});

it('the rules for the Prometheus operator are those of deploy/prometheus/alerts.yaml', async () => {
  const [, groups = ''] = readText('deploy/prometheus/alerts.yaml').split(/^(?=groups:)/m);
  const indented = groups.replaceAll(/^(?=.)/gm, '  ');
  const rules = `# Written by npm run generate from deploy/prometheus/alerts.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: remesa
spec:
${indented}`;
  await expect(rules).toMatchFileSnapshot(at('deploy/kubernetes-monitors/rules.yaml'));
});

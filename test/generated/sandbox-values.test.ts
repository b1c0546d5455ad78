import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sandboxValuesPage } from './sandbox-values-page.js';

const page = fileURLToPath(new URL('../../docs/sandbox-values.md', import.meta.url));

it('docs/sandbox-values.md shows the values of the sandbox (npm run generate renews it)', async () => {
  await expect(sandboxValuesPage()).toMatchFileSnapshot(page);
});

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useTestDatabase } from '../harness/test-database.js';
import { schemaListing } from './schema-listing.js';

const { sql } = useTestDatabase();
const listing = fileURLToPath(new URL('../../docs/schema.md', import.meta.url));

it('docs/schema.md shows the schema that the migrations make (npm run generate renews it)', async () => {
  await expect(await schemaListing(sql)).toMatchFileSnapshot(listing);
});

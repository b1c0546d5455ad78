/** What a sender calls a file, says of its type or of its length goes nowhere. */
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/documents/inspect.js';
import { oddNames } from './hostile-file.js';
import { jpegOf, photograph } from './images.js';
import { closeInspectorsAfterAll, documentOf, faultOf, inspecting } from './inspecting.js';
import { useKeeping } from './keeping.js';

const keeping = useKeeping();
const { inspector } = inspecting();
closeInspectorsAfterAll();

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await jpegOf(await photograph());
});

/** A form with one file, as the bytes of its body. */
function form(name: string, type: string, bytes: Buffer): Buffer {
  const head = `--edge\r\ncontent-disposition: form-data; name="documentFront"; filename="${name}"\r\ncontent-type: ${type}\r\ncontent-length: 3\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]);
}

function upload(name: string, type: string, bytes: Buffer): Promise<Inspection> {
  return new Promise((resolve, reject) => {
    const parser = Busboy({ headers: { 'content-type': 'multipart/form-data; boundary=edge' } });
    parser.on('file', (_field, stream) => inspector.inspectUpload(stream as Readable, 'a form').then(resolve, reject));
    parser.on('error', reject);
    Readable.from([form(name, type, bytes)]).pipe(parser);
  });
}

describe('a file with an odd name', () => {
  it.each(oddNames.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))(
    '%s is the same file',
    async (_shown, name) => {
      const document = documentOf(await upload(name, 'image/jpeg', jpeg));
      expect(document.mediaType).toBe('image/jpeg');
    },
  );

  it('is kept under a name of ours, and the sender’s is in no row and no file', async () => {
    const open = await keeping.openCase();
    for (const keptIn of ['database', 'files'] as const) {
      const inspection = await upload('../../marker-of-the-name', 'image/jpeg', jpeg);
      await keeping.room.database.transaction((tx) =>
        keeping.vault(keptIn).store(tx, open, 'documentFront', open.key, documentOf(inspection) as never),
      );
    }
    const { rows } = await keeping.room.sql.query<{ row: string }>('SELECT d::text AS row FROM kyc_documents AS d');
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ row }) => row.includes('marker-of-the-name'))).toEqual([]);
    expect(readdirSync(keeping.folder, { recursive: true }).filter((name) => String(name).includes('marker'))).toEqual(
      [],
    );
  });
});

describe('a file of which the sender says something else', () => {
  it('is what its bytes are: a picture sent as a PDF, a web page sent as a picture', async () => {
    expect(documentOf(await upload('a.pdf', 'application/pdf', jpeg)).mediaType).toBe('image/jpeg');
    expect(faultOf(await upload('a.jpg', 'image/jpeg', Buffer.from('<!doctype html><script>')))).toBe(
      'not_an_accepted_type',
    );
  });
});

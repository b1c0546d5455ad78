/** Builds the documents room: what checks uploads, and where documents are stored. */
import type { Log } from '../log.js';
import type { KeptIn } from './chunk-vault.js';
import { DocumentFiles } from './document-files.js';
import type { InspectUpload } from './inspect.js';
import { UploadInspector } from './inspector.js';

export interface DocumentRoomOptions {
  readonly rootKey: Buffer;
  readonly settings: { readonly dataDirectory: string; readonly documentStore: KeptIn };
  readonly log: Log;
}

export interface DocumentRoom {
  readonly inspect: InspectUpload;
  readonly files: DocumentFiles;
  /** Where new documents are stored. */
  readonly keptIn: KeptIn;
  readonly routes: readonly [];
  readonly jobs: readonly [];
  close(): Promise<void>;
}

export function documentRoom({ rootKey, settings, log }: DocumentRoomOptions): DocumentRoom {
  const inspector = new UploadInspector(log);
  return {
    inspect: inspector.inspectUpload,
    files: DocumentFiles.ofInstance(settings.dataDirectory, rootKey),
    keptIn: settings.documentStore,
    routes: [],
    jobs: [],
    close: () => inspector.close(),
  };
}

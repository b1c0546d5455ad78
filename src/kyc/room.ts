/** Puts the room together: what `app.ts` hands in, and what it gets to serve, to run and to answer the users with. */
import type { Clock } from '../clock.js';
import type { Route } from '../http/route.js';
import { deriveKey } from '../keys/derive.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { UserService } from '../users/service.js';
import type { RetentionEnded } from '../users/user.js';
import type { Job } from '../worker/worker.js';
import { DocumentFiles } from './documents/document-files.js';
import { UploadInspector } from './documents/inspector.js';
import { type IsKeyGone, removeErasedJob, sweepFilesJob } from './documents/jobs.js';
import { SealedDocumentVault } from './documents/vault.js';
import { formRoutes } from './form/routes.js';
import { FormService } from './form/service.js';
import { kycJobs } from './jobs.js';
import { AutomaticReview } from './review/automatic.js';
import { decideJob } from './review/decide-job.js';
import { operatorKycRoutes } from './review/routes.js';
import { ReviewService } from './review/service.js';
import { kycRoutes } from './routes.js';
import { KycService } from './service.js';

export interface KycRoomOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly settings: {
    readonly mode: 'sandbox' | 'live';
    readonly retentionYears: number;
    readonly dataDirectory: string;
    readonly documentStore: 'database' | 'files';
  };
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface KycRoom {
  /** They ask about their identification, which is about them: each has the other's answers. */
  readonly users: UserService;
  readonly reviews: ReviewService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly retentionEnded: RetentionEnded;
  close(): Promise<void>;
}

export function kycRoom(options: KycRoomOptions): KycRoom {
  const { database, vault, settings, clock, baseUrl, log } = options;
  const files = DocumentFiles.ofInstance(settings.dataDirectory, vault.rootKey);
  const documents = new SealedDocumentVault(files, settings.documentStore);
  const inspector = new UploadInspector(log);
  const users: UserService = new UserService({
    vault,
    clock,
    retentionYears: settings.retentionYears,
    erasureGuard: async (...whom) => ({ hasOpenOrders: false, ...(await kyc.erase(...whom)) }),
    identityChanged: (...change) => kyc.identityChanged(...change),
  });
  const kyc = new KycService({ users, documents });
  const personKey = deriveKey(vault.rootKey, 'kyc person index');
  const forms = new FormService({ users, documents });
  const reviews = new ReviewService({ users, documents });
  const isKeyGone: IsKeyGone = async (...whose) => (await users.retainedKey(...whose)) === undefined;
  return {
    users,
    reviews,
    routes: [
      ...kycRoutes({ kyc, forms, baseUrl, clock, isSandbox: settings.mode === 'sandbox' }),
      ...formRoutes({ forms, inspect: inspector.inspectUpload, clock }),
      ...operatorKycRoutes(database, reviews),
    ],
    jobs: [
      decideJob(database, new AutomaticReview({ users, personKey }), log),
      ...kycJobs(database, log),
      sweepFilesJob(database, files, clock, log),
      removeErasedJob(database, isKeyGone, log),
    ],
    retentionEnded: (...whose) => kyc.retentionEnded(...whose),
    close: () => inspector.close(),
  };
}

/** Builds the KYC room. `app.ts` provides the users, and answers the users' ports with `service`. */
import type { Clock } from '../clock.js';
import type { KeptIn } from '../documents/chunk-vault.js';
import type { DocumentFiles } from '../documents/document-files.js';
import type { FindPending } from '../http/four-eyes.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import { deriveKey } from '../keys/derive.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { PersonIndex } from '../persons/service.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import type { Agenda } from '../worker/agenda.js';
import type { Job } from '../worker/worker.js';
import { DocumentVault } from './documents/document-vault.js';
import { type IsKeyDestroyed, removeErasedJob, sweepFilesJob } from './documents/jobs.js';
import { exposureRoutes } from './exposure/routes.js';
import { ExposureService } from './exposure/service.js';
import { listExposureTasks } from './exposure/store.js';
import { freezePersonsJob } from './hits/freeze-persons-job.js';
import { listUnappliedHits } from './hits/other-accounts-store.js';
import { HitReviewService, type RateRisk } from './hits/review-service.js';
import { hitRoutes } from './hits/routes.js';
import { type HitOptions, HitService } from './hits/service.js';
import { listHitTasks } from './hits/task-store.js';
import { kycAgenda, kycJobs } from './renewal/jobs.js';
import { rescreeningGauge } from './rescreening/gauge.js';
import { type RescreenOptions, rescreenJob } from './rescreening/rescreen-job.js';
import { rescreeningRoutes } from './rescreening/routes.js';
import { AutomaticReview, type AutomaticReviewOptions } from './review/automatic.js';
import { decideJob } from './review/decide-job.js';
import { operatorKycRoutes } from './review/routes.js';
import { ReviewService } from './review/service.js';
import { listReviewTasks } from './review/task-store.js';
import { kycRoutes } from './routes.js';
import { KycService } from './service.js';
import { FormService } from './submissions/service.js';

export interface KycRoomOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly users: UserService;
  readonly persons: PersonIndex;
  readonly settings: { readonly rescreenedUsersPerSecond: number };
  readonly documents: { readonly files: DocumentFiles; readonly keptIn: KeptIn };
  readonly screening: RescreenOptions['screening'];
  readonly countries: AutomaticReviewOptions['countries'];
  readonly approvals: { readonly findPending: FindPending; readonly forget: HitOptions['forgetApprovals'] };
  readonly rateRisk: RateRisk;
  readonly clock: Clock;
  readonly log: Log;
}

export interface KycRoom {
  /** What the users room and orders need to know about a user's verification. */
  readonly service: KycService;
  readonly reviews: ReviewService;
  /** For whoever screens a user outside of a case. */
  readonly hits: HitService;
  /** What operators decide about hits; `app.ts` registers the rooms that have money. */
  readonly hitReviews: HitReviewService;
  /** What management decided about politically exposed users. */
  readonly exposures: ExposureService;
  /** What the pages of the form call. */
  readonly forms: FormService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly agenda: Agenda;
  readonly gauges: readonly RoomGauge[];
  readonly taskSources: readonly TaskSource[];
}

export function kycRoom(options: KycRoomOptions): KycRoom {
  const { database, vault, users, screening, approvals, settings, clock, log } = options;
  const { files, keptIn } = options.documents;
  const documents = new DocumentVault(files, keptIn);
  const hits = new HitService({
    users,
    screening,
    forgetApprovals: approvals.forget,
    personKey: deriveKey(vault.rootKey, 'screened person'),
  });
  const service = new KycService({ users, documents, hits });
  const personKey = deriveKey(vault.rootKey, 'kyc person index');
  const exposures = new ExposureService(users, options.rateRisk);
  const hitReviews = new HitReviewService(users, options.rateRisk);
  const reviews = new ReviewService({ users, documents, hits, hitReviews, exposures, persons: options.persons });
  const isKeyDestroyed: IsKeyDestroyed = async (...user) => (await users.retainedKey(...user)) === undefined;
  return {
    service,
    reviews,
    hits,
    hitReviews,
    exposures,
    forms: new FormService({ users, documents, personKey, persons: options.persons }),
    routes: [
      ...kycRoutes(service),
      ...operatorKycRoutes(reviews),
      ...hitRoutes(hitReviews, approvals.findPending),
      ...exposureRoutes(exposures),
      ...rescreeningRoutes(),
    ],
    jobs: [
      decideJob(database, new AutomaticReview({ users, hits, countries: options.countries }), log),
      rescreenJob({
        database,
        users,
        hits,
        screening,
        clock,
        log,
        peoplePerSecond: settings.rescreenedUsersPerSecond,
      }),
      ...kycJobs(database, log),
      sweepFilesJob(database, files, clock, log),
      freezePersonsJob({ database, persons: options.persons, hitReviews, log }),
      removeErasedJob(database, isKeyDestroyed, log),
    ],
    agenda: kycAgenda({ database, log }),
    gauges: [rescreeningGauge(database)],
    taskSources: [
      { kind: 'kyc_review', list: listReviewTasks },
      { kind: 'screening_hit', list: listHitTasks },
      { kind: 'exposure', list: listExposureTasks },
      { kind: 'hit_unapplied', list: listUnappliedHits },
    ],
  };
}

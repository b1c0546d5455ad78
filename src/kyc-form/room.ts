/** Builds the room of the hosted form. */
import type { Clock } from '../clock.js';
import type { InspectUpload } from '../documents/inspect.js';
import type { Route } from '../http/route.js';
import type { KycService } from '../kyc/service.js';
import type { FormService } from '../kyc/submissions/service.js';
import { linkRoutes } from './link-routes.js';
import { formRoutes } from './routes.js';

export interface KycFormRoomOptions {
  readonly kyc: { readonly service: KycService; readonly forms: FormService };
  readonly inspect: InspectUpload;
  readonly baseUrl: () => string;
  readonly mode: 'sandbox' | 'live';
  readonly clock: Clock;
}

export interface KycFormRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly [];
}

export function kycFormRoom({ kyc, inspect, baseUrl, mode, clock }: KycFormRoomOptions): KycFormRoom {
  const { service, forms } = kyc;
  return {
    routes: [
      ...linkRoutes({ kyc: service, forms, baseUrl, clock, isSandbox: mode === 'sandbox' }),
      ...formRoutes({ forms, inspect, clock }),
    ],
    jobs: [],
  };
}

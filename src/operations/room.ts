/** Builds the operators' desk: what operators see of an order over all rooms through which it goes. */
import type { FindPending } from '../http/four-eyes.js';
import type { Route } from '../http/route.js';
import type { OrderDesk } from '../orders/desk/service.js';
import { noteRoutes } from './note-routes.js';
import { NoteService } from './note-service.js';
import { deskRoutes } from './routes.js';
import { DeskService } from './service.js';

export interface OperationsRoomOptions {
  readonly orders: { readonly desk: OrderDesk };
  readonly findPending: FindPending;
}

export interface OperationsRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly [];
}

export function operationsRoom({ orders, findPending }: OperationsRoomOptions): OperationsRoom {
  return {
    routes: [
      ...deskRoutes(new DeskService(orders.desk), findPending),
      ...noteRoutes(new NoteService(orders.desk)),
    ],
    jobs: [],
  };
}

/** Builds the room of complaints. */
import type { OrderRoom } from '../orders/room-options.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import { complaintRoutes } from './merchant-routes.js';
import { complaintDeskRoutes } from './routes.js';
import { ComplaintService } from './service.js';
import { listComplaintTasks, listRemedyTasks } from './task-store.js';

export interface ComplaintRoomOptions {
  readonly users: { readonly service: UserService };
  readonly orders: Pick<OrderRoom, 'disclosures'>;
}

export function complaintRoom({ users, orders }: ComplaintRoomOptions) {
  const service = new ComplaintService(users.service, orders.disclosures);
  const taskSources: TaskSource[] = [
    { kind: 'complaint', list: listComplaintTasks },
    { kind: 'complaint_remedy', list: listRemedyTasks },
  ];
  return { service, routes: [...complaintRoutes(service), ...complaintDeskRoutes(service)], jobs: [], taskSources };
}

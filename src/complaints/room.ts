/** Builds the room of complaints. */
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import { complaintRoutes } from './merchant-routes.js';
import { complaintDeskRoutes } from './routes.js';
import { ComplaintService } from './service.js';
import { listComplaintTasks, listRemedyTasks } from './task-store.js';

export interface ComplaintRoomOptions {
  readonly users: { readonly service: UserService };
}

export function complaintRoom({ users }: ComplaintRoomOptions) {
  const service = new ComplaintService(users.service);
  const taskSources: TaskSource[] = [
    { kind: 'complaint', list: listComplaintTasks },
    { kind: 'complaint_remedy', list: listRemedyTasks },
  ];
  return { service, routes: [...complaintRoutes(service), ...complaintDeskRoutes(service)], jobs: [], taskSources };
}

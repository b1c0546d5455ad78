/** Metrics of the screening lists, by list. */
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { ListStatus, ScreeningService } from './service.js';

export function screeningGauges(service: ScreeningService): RoomGauge[] {
  const gauge = (name: string, help: string, value: (status: ListStatus) => number): RoomGauge => ({
    name,
    help,
    label: 'list',
    read: async () => new Map(service.listStatuses().map((status) => [status.name, value(status)])),
  });
  return [
    gauge('remesa_screening_list_entries', 'Entries of the version in use.', ({ entries }) => entries),
    gauge(
      'remesa_screening_list_age_seconds',
      'Time since the files of the list were written.',
      ({ ageSeconds = 0 }) => ageSeconds,
    ),
    gauge(
      'remesa_screening_list_problem',
      '1 when the list is not usable or its present files were refused.',
      ({ state, lastError }) => (state !== 'ok' || lastError ? 1 : 0),
    ),
  ];
}

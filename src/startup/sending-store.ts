/** Where this instance sends from, and whether it may. */
import { statement } from '../postgres/statement.js';

/** A failover keeps both: the standby has the identifier of its primary. A restored dump has others. */
export const findSending = statement(
  'startup.find-sending',
  `SELECT mode, sends_from, sending_is_held,
          (SELECT system_identifier FROM pg_control_system())::text
            || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())::text AS server
     FROM instance`,
).rows<{ mode: string; sends_from: string | null; sending_is_held: boolean; server: string }>();
export const saveFirstPlace = statement(
  'startup.save-first-place',
  'UPDATE instance SET sends_from = $place WHERE sends_from IS NULL',
);
export const saveSending = statement(
  'startup.save-sending',
  'UPDATE instance SET sends_from = $place, sending_is_held = $isHeld',
);

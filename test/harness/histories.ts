/** Histories as tests read them with SQL: the changes of each order, and of each case. */

/** Where a table stands in FROM. */
export const orderTimeline = `(SELECT merchant_id, substr(subject, 7) AS order_id, version, substr(action, 7) AS event, from_state,
    to_state, actor_kind, journal_ids FROM changes WHERE subject LIKE 'order:%' AND version IS NOT NULL)`;

/** Where a table stands in FROM. */
export const kycHistory = `(SELECT substr(subject, 5) AS case_id, version, regexp_replace(action, '^kyc\\.(renewal_)?', '') AS move,
    to_state FROM changes WHERE subject LIKE 'kyc:%' AND version IS NOT NULL)`;

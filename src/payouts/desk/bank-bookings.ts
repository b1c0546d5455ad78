/** What the operators' desk asks of payouts when it compares the statement of a bank or a partner with the ledger. */
export { sumPayoutsAcross, sumPayoutsInFlight, sumPayoutsInstructed } from './payout-booking-store.js';

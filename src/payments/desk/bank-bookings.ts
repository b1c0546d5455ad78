/** What the operators' desk asks of payments when it compares a bank statement with the ledger. */
export { sumPaymentsAcross } from './payment-booking-store.js';

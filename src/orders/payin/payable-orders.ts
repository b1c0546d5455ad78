/** The orders that a payment may be for. The payments room chooses among them. */
export { listOrdersAwaiting, listOrdersMissing, listUnpaidOf } from './payable-store.js';
export { listOrdersByPayinReferences } from './payin-reference-store.js';

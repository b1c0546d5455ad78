/** The notifications that a call can cause by itself, not what becomes of an order or a case afterwards. */
const informed = [
  'order.information_recorded',
  'order.awaiting_payment',
  'order.payment_received',
  'order.in_review',
  'order.payout_failed',
  'order.returned',
];
const cancelled = ['order.cancelled', 'order.refund_pending', 'order.cancellation_requested'];

export const causedEvents: Readonly<Record<string, readonly string[]>> = {
  createOrder: ['order.awaiting_payment'],
  cancelOrder: cancelled,
  changeOrderBeneficiary: ['order.beneficiary_changed', ...informed],
  provideOrderInformation: [...informed, 'order.requoted', 'order.refund_pending', 'order.cancellation_requested'],
  createKycLink: ['kyc.pending'],
  getKycForm: ['kyc.pending'],
  grantKycLevelInSandbox: ['kyc.pending', 'kyc.submitted', 'kyc.approved'],
  rotateOwnSecret: ['merchant.secret_rotated'],
  createOwnSecret: ['merchant.secret_created'],
  endOwnSecret: ['merchant.secret_ended'],
  rotateMerchantSecret: ['merchant.secret_rotated'],
  endMerchantSecret: ['merchant.secret_ended'],
  testWebhook: ['webhook.test'],
};

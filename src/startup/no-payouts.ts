/** Stands for the room that pays out where there is none: no rail is open, so orders wait. */
import type { Payouts } from '../orders/ports.js';

export const noPayouts: Payouts = {
  plan: async () => ({ obstacle: 'no_rail' }),
  openPayout: () => Promise.reject(new Error('there is no rail to pay out by')),
  openRefund: async () => {},
};

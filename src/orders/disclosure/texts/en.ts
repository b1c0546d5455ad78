/** English texts of the disclosure. */
export const english = {
  title: 'Before you pay',
  notAReceipt: 'This is not a receipt.',
  costs: 'What it costs',
  transferAmount: 'Transfer amount',
  fee: 'Transfer fees',
  taxes: 'Transfer taxes',
  total: 'Total to pay',
  exchangeRate: 'Exchange rate',
  markup: 'Above the reference rate of {{source}}',
  conversionCost: 'Cost of the exchange rate',
  totalCost: 'Total cost',
  arrives: 'What arrives',
  totalToRecipient: 'Total to recipient',
  otherFees: 'The recipient may receive less because of fees charged by the recipient’s bank and foreign taxes.',
  country: 'Paid out in',
  method: 'How',
  availableOn: 'Available to the recipient by',
  availableIf: 'If your payment arrives today.',
  rights: 'Your rights',
  cancelUs:
    'You can cancel for a full refund within {{minutes}} minutes of payment, unless the money was picked up or deposited.',
  cancel: 'You can cancel until the money is on its way to the recipient.',
  errorsUs:
    'You have a right to dispute errors in your transaction. If you think there is an error, contact {{licensee}} within 180 days after the date on which the money should have been available.',
  agencyUs:
    'For questions or complaints you can also contact the Consumer Financial Protection Bureau: 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  errorsEu:
    'Tell {{licensee}} without delay, and at most 13 months after the debit, about a payment that you did not order or that went wrong: it is then corrected or refunded.',
  refusalEu: 'If the transfer is refused, you are told so, and why where the law allows it.',
} as const;

/** The kinds of treasury entries. Their names are also the events of their journals. */
export const entryKinds = ['funding', 'cover_trade', 'bank_fee', 'correction'] as const;

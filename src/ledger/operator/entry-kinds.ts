/** The kinds of treasury entries. Their names are also the events of their journals. */
export const entryKinds = ['funding', 'cover_trade', 'bank_fee', 'correction'] as const;

/** What statements of banks book without a person. An operator can undo it as a treasury entry. */
export const statementEntries = ['interest', 'own_transfer'] as const;

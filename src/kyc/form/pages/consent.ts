/** What a person agrees to. The version is kept with the case: whoever changes a text in any language gives it a new one. */
export const consentVersion = '2026-11-15.2';

/** The parts of the text, in their order; the words stand in the catalogues. */
export const consentParts = ['truth', 'use', 'keep'] as const;

/**
 * What the user agrees to. The version is stored with each submission: a changed text in any language needs a new one.
 */
export const consentVersion = '2026-11-19';

/** The parts of the text, in order; the catalogues have the words. */
export const consentParts = ['truth', 'use', 'keep'] as const;

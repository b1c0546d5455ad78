/** How thoroughly a user was verified. Corridors name levels too, so the list is below both rooms. */

/** In rising order: a user who holds a level holds the lower ones too. */
export const kycLevels = ['LEVEL_1', 'LEVEL_2', 'LEVEL_3'] as const;
export type KycLevel = (typeof kycLevels)[number];

/** The level and those below it. */
export function levelsUpTo(level: KycLevel): readonly KycLevel[] {
  return kycLevels.slice(0, kycLevels.indexOf(level) + 1);
}

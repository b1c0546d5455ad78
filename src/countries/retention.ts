/**
 * For how many years the law of a country wants kept what is known of a customer, where that is longer than the five
 * years of the European Union. The setting RETENTION_YEARS is the least. Pure.
 */

interface Retention {
  readonly years: number;
  readonly source: string;
}

const retentions: Readonly<Record<string, Retention>> = {
  BE: { years: 10, source: 'Law of 18 September 2017, art. 60' },
  CH: { years: 10, source: 'Anti-Money Laundering Act, art. 7(3)' },
  ES: { years: 10, source: 'Ley 10/2010, art. 25' },
  IT: { years: 10, source: 'D.Lgs. 231/2007, art. 31' },
  MX: { years: 10, source: 'LFPIORPI, art. 18, as of July 2025' },
};

/** `country` is where the user lives. Undefined: nothing is kept that would tell. */
export function retentionYearsOf(country: string | undefined, atLeast: number): number {
  return Math.max(atLeast, retentions[country ?? '']?.years ?? 0);
}

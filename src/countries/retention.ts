/**
 * For how many years the law of a country wants kept what is known of a customer, where that is longer than the five
 * years of Directive (EU) 2015/849 art. 40(1), 31 CFR 1010.430(d) and regulation 40 of the Money Laundering Regulations
 * 2017. The setting RETENTION_YEARS is the least. Pure.
 */

interface Retention {
  readonly years: number;
  readonly article: string;
  /** Where the article can be read, or who explains it. */
  readonly source: string;
}

const retentions: Readonly<Record<string, Retention>> = {
  BE: {
    years: 10,
    article: 'Law of 18 September 2017, art. 60',
    source: 'https://www.nbb.be/fr/articles/loi-anti-blanchiment-du-18-septembre-2017-articles-60-65',
  },
  CH: {
    years: 10,
    article: 'Anti-Money Laundering Act, art. 7(3)',
    source: 'https://onlinekommentar.ch/en/kommentare/gwg7',
  },
  ES: {
    years: 10,
    article: 'Ley 10/2010, art. 25(1); Real Decreto 304/2014, art. 29',
    source: 'https://www.sepblac.es/en/legislation/prevention-of-money-laundering-and-terrorist-financing/',
  },
  IT: {
    years: 10,
    article: 'Decreto legislativo 231/2007, art. 31(3)',
    source: 'https://www.e-glossa.it/wiki/decreto_legislativo_del_2007_numero_231_art._31.aspx',
  },
  MX: {
    years: 10,
    article: 'LFPIORPI, art. 18, as of 17 July 2025',
    source: 'https://fs-advisory.com/noticias/reformas-2025-lfpiorpi',
  },
};

/** `country` is where the user lives. Undefined: nothing is kept that would tell. */
export function retentionYearsOf(country: string | undefined, atLeast: number): number {
  return Math.max(atLeast, retentions[country ?? '']?.years ?? 0);
}

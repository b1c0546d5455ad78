/** The zone of each country. Every country of ISO 3166-1 is in exactly one. */
import { type Zone, zones } from './case.js';

const countriesByZone: Readonly<Record<Zone, string>> = {
  // With the territories where the Bank Secrecy Act applies.
  US: 'US AS GU MP PR UM VI',
  CA: 'CA',
  GB: 'GB',
  // The EU with the regions that belong to it overseas, Iceland, Liechtenstein and Norway.
  EEA:
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO ' +
    'AX GF GP MF MQ RE YT',
  CH: 'CH',
  // Also the territories of European states that are outside the EU's law on money laundering.
  EUROPE_OTHER: 'AD AL AM AZ BA BV BY FO GE GG GI GL IM JE MC MD ME MK PM RS RU SJ SM TR UA VA',
  LATAM:
    'AG AI AR AW BB BL BM BO BQ BR BS BZ CL CO CR CU CW DM DO EC FK GD GS GT GY HN HT JM KN KY LC MS MX NI PA PE PY ' +
    'SR SV SX TC TT UY VC VE VG',
  MENA: 'AE BH DZ EG EH IL IQ IR JO KW LB LY MA OM PS QA SA SY TN YE',
  AFRICA:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ ER ET GA GH GM GN GQ GW KE KM LR LS MG ML MR MU MW MZ NA NE NG RW SC SD SH SL ' +
    'SN SO SS ST SZ TD TG TZ UG ZA ZM ZW',
  APAC:
    'AF AQ AU BD BN BT CC CK CN CX FJ FM HK HM ID IN IO JP KG KH KI KP KR KZ LA LK MH MM MN MO MV MY NC NF NP NR NU NZ ' +
    'PF PG PH PK PN PW SB SG TF TH TJ TK TL TM TO TV TW UZ VN VU WF WS',
};

const zoneByCountry = new Map(zones.flatMap((zone) => countriesOf(zone).map((country) => [country, zone])));

/** Two-letter codes, in the order of the alphabet. */
export function countriesOf(zone: Zone): readonly string[] {
  return countriesByZone[zone].split(' ').sort();
}

export function zoneOf(country: string): Zone | undefined {
  return zoneByCountry.get(country);
}

/**
 * A suspicious transaction report in the elements of the goAML schema (UNODC), in its order. What differs from country
 * to country, such as the number of the reporting entity, is left empty and named as missing. Pure.
 */
import type { Report, ReportData, ReportedOrder, ReportedPerson } from './report.js';

export function goamlReport(data: ReportData): Report {
  const { caseId, madeAt, reporter, reportedBy, narrative, indicators, persons, orders } = data;
  const currency = orders[0]?.fiatIn ?? '';
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<report>',
    element('rentity_id', ''),
    element('submission_code', 'E'),
    element('report_code', 'STR'),
    element('entity_reference', caseId),
    element('submission_date', moment(madeAt)),
    element('currency_code_local', currency),
    `<reporting_person>${element('last_name', reportedBy)}</reporting_person>`,
    reporter ? `<location>${element('address_type', 'B')}${element('country_code', reporter.country)}</location>` : '',
    element('reason', narrative),
    element('action', data.title),
    ...orders.map((order) => transaction(order, persons)),
    '<report_indicators>',
    ...indicators.map((indicator) => element('indicator', indicator)),
    '</report_indicators>',
    '</report>',
  ].filter((line) => line !== '');
  return { mediaType: 'application/xml', content: content.join('\n'), missing: missingOf(data) };
}

function transaction(order: ReportedOrder, persons: readonly ReportedPerson[]): string {
  const sender = persons.find(({ userId }) => userId === order.userId);
  const account = order.payoutAccount ?? 'cash';
  return [
    '<transaction>',
    element('transactionnumber', order.orderId),
    element('transaction_description', order.purpose),
    element('date_transaction', moment(order.createdAt)),
    element('transmode_code', order.payoutMethod),
    element('amount_local', order.amountIn),
    `<t_from_my_client>${element('from_funds_code', 'E')}${person('from_person', sender)}${element(
      'from_country',
      sender?.profile?.countryCode ?? '',
    )}</t_from_my_client>`,
    `<t_to>${element('to_funds_code', 'E')}<to_account>${element('account', account)}</to_account>${element(
      'to_country',
      order.payoutCountry,
    )}</t_to>`,
    '</transaction>',
  ].join('\n');
}

function person(name: string, reported: ReportedPerson | undefined): string {
  const profile = reported?.profile;
  if (!profile) return `<${name}/>`;
  const { firstName, lastName, email, address, city, countryCode } = profile;
  const place = element('address', address) + element('city', city) + element('country_code', countryCode);
  return `<${name}>${element('first_name', firstName)}${element('last_name', lastName)}<addresses><address>${element(
    'address_type',
    'P',
  )}${place}</address></addresses>${element('email', email)}</${name}>`;
}

function missingOf({ reporter, narrative, orders }: ReportData): string[] {
  return [
    'rentity_id',
    ...(reporter ? [] : ['location']),
    ...(narrative === '' ? ['reason'] : []),
    ...(orders.length === 0 ? ['transaction'] : []),
  ];
}

function element(name: string, value: string): string {
  return `<${name}>${escaped(value)}</${name}>`;
}

/** Characters that XML cannot hold are left out. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return [...text]
    .filter((character) => character >= ' ' || '\t\n\r'.includes(character))
    .map((character) => names[character] ?? character)
    .join('');
}

/** Without a zone, as the schema has it. */
function moment(at: Date): string {
  return at.toISOString().slice(0, 19);
}

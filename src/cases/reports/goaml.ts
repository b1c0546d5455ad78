/**
 * A suspicious transaction report in the elements of the goAML schema (UNODC), in its order. What differs from country
 * to country, such as the number of the reporting entity, is left out and named as missing. Pure.
 */
import { type Content, group, value } from '../../iso20022/write/xml.js';
import { missingOf, type Report, type ReportData, type ReportedOrder, type ReportedPerson } from './report.js';

export function goamlReport(data: ReportData): Report {
  const { caseId, madeAt, reporter, reportedBy, narrative, indicators, persons, orders } = data;
  const content = group(
    'report',
    element('submission_code', 'E'),
    element('report_code', 'STR'),
    element('entity_reference', caseId),
    element('submission_date', moment(madeAt)),
    element('currency_code_local', orders[0]?.fiatIn),
    group('reporting_person', element('last_name', reportedBy)),
    reporter && group('location', element('address_type', 'B'), element('country_code', reporter.country)),
    element('reason', narrative),
    element('action', data.title),
    ...orders.map((order) => transaction(order, persons)),
    group('report_indicators', ...indicators.map((indicator) => element('indicator', indicator))),
  );
  const missing = ['rentity_id, which the authority gave you', ...missingOf(data)];
  return { mediaType: 'application/xml', content: `<?xml version="1.0" encoding="UTF-8"?>\n${content ?? ''}`, missing };
}

function transaction(order: ReportedOrder, persons: readonly ReportedPerson[]): Content {
  const sender = persons.find(({ userId, merchant }) => userId === order.userId && merchant === order.merchant);
  return group(
    'transaction',
    element('transactionnumber', order.orderId),
    element('transaction_description', order.purpose),
    element('date_transaction', moment(order.createdAt)),
    element('transmode_code', order.payoutMethod),
    element('amount_local', order.amountIn),
    group(
      't_from_my_client',
      element('from_funds_code', 'E'),
      sender && person('from_person', sender),
      element('from_country', sender?.profile?.countryCode),
    ),
    group(
      't_to',
      element('to_funds_code', 'E'),
      group('to_account', element('account', order.payeeAccount), element('account_name', order.payeeName)),
      element('to_country', order.payoutCountry),
    ),
  );
}

function person(name: string, { profile, answers }: ReportedPerson): Content {
  const isPassport = answers.documentType === 'passport';
  return group(
    name,
    element('first_name', profile?.firstName),
    element('last_name', profile?.lastName),
    element('birthdate', answers.dateOfBirth && `${answers.dateOfBirth}T00:00:00`),
    element('birth_place', answers.placeOfBirth),
    element('ssn', answers.nationalIdNumber),
    element('passport_number', isPassport ? answers.documentNumber : undefined),
    element('passport_country', isPassport ? answers.documentCountry : undefined),
    element('id_number', isPassport ? undefined : answers.documentNumber),
    element('nationality1', answers.nationality),
    group(
      'addresses',
      profile &&
        group(
          'address',
          element('address_type', 'P'),
          element('address', profile.address),
          element('city', profile.city),
          element('zip', profile.postalCode),
          element('country_code', profile.countryCode),
        ),
    ),
    element('email', profile?.email),
    element('occupation', answers.occupation),
  );
}

/** Characters that XML cannot hold are left out. */
function element(name: string, text: string | undefined): Content {
  return value(name, text && [...text].filter((each) => each >= ' ' || '\t\n\r'.includes(each)).join(''));
}

/** Without a zone, as the schema has it. */
function moment(at: Date): string {
  return at.toISOString().slice(0, 19);
}

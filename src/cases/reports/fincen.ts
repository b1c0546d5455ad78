/** The fields of a FinCEN Suspicious Activity Report (form 111), by the names of its items, as JSON. Pure. */
import { missingOf, type Report, type ReportData } from './report.js';

/** FinCEN takes a narrative of at most so many characters. */
const longestNarrative = 17_000;

export function fincenReport(data: ReportData): Report {
  const { caseId, reporter, reportedBy, narrative, indicators, persons, orders, madeAt } = data;
  const dates = orders.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)).sort();
  const fields = {
    filingType: 'initial',
    filerInternalNumber: caseId,
    filingInstitution: {
      legalName: reporter?.legalName ?? null,
      country: reporter?.country ?? null,
      identification: reporter?.licenceNumber ?? null,
      typeOfInstitution: 'MSB',
      contactOffice: reportedBy,
    },
    subjects: persons.map(({ profile, answers, userId, merchant }) => ({
      lastName: profile?.lastName ?? null,
      firstName: profile?.firstName ?? null,
      address: profile?.address ?? null,
      city: profile?.city ?? null,
      state: profile?.stateProvince ?? null,
      postalCode: profile?.postalCode ?? null,
      country: profile?.countryCode ?? null,
      email: profile?.email ?? null,
      phone: answers.phoneNumber ?? null,
      dateOfBirth: answers.dateOfBirth ?? null,
      occupation: answers.occupation ?? null,
      identification: answers.documentNumber
        ? { type: answers.documentType, number: answers.documentNumber, country: answers.documentCountry }
        : null,
      taxIdLastFour: answers.taxIdLastFour ?? null,
      relationshipToInstitution: 'customer',
      internalNumber: `${merchant}/${userId}`,
    })),
    suspiciousActivity: {
      amounts: orders.map(({ amountIn, fiatIn, orderId, payeeName, payeeAccount, payoutCountry }) => ({
        orderId,
        amount: amountIn,
        currency: fiatIn,
        recipient: payeeName ?? null,
        recipientAccount: payeeAccount ?? null,
        recipientCountry: payoutCountry,
      })),
      from: dates[0] ?? null,
      to: dates.at(-1) ?? null,
      types: [...indicators],
      product: 'money transfer',
    },
    narrative: narrative.slice(0, longestNarrative),
    dateFiled: madeAt.toISOString().slice(0, 10),
  };
  const missing = [
    ...missingOf(data),
    ...persons.map(({ merchant, userId }) => `the whole tax number of user ${merchant}/${userId}`),
    ...(narrative.length > longestNarrative ? ['the end of the narrative: it is too long'] : []),
  ];
  return { mediaType: 'application/json', content: JSON.stringify(fields, undefined, 2), missing };
}

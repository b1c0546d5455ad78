/** A report as a page to print. It has no script, and nothing in it becomes markup. Pure. */
import { escaped } from './goaml.js';
import type { Report, ReportData } from './report.js';

const style =
  'body{font:11pt/1.4 serif;margin:2cm}table{border-collapse:collapse;width:100%}td,th{border:1px solid;padding:2pt 4pt;text-align:start;vertical-align:top}h2{break-after:avoid}tr{break-inside:avoid}.narrative{white-space:pre-wrap}';

export function printedReport(data: ReportData): Report {
  const { caseId, madeAt, reporter, reportedBy, title, narrative, indicators, persons, orders } = data;
  const people = persons.map(({ merchant, userId, profile }) => [
    profile ? `${profile.firstName} ${profile.lastName}` : '',
    profile ? [profile.address, profile.postalCode, profile.city, profile.countryCode].join(', ') : '',
    profile?.email ?? '',
    `${merchant}/${userId}`,
  ]);
  const transfers = orders.map((order) => [
    order.createdAt.toISOString().slice(0, 16).replace('T', ' '),
    `${order.amountIn} ${order.fiatIn}`,
    `${order.amountOut} ${order.fiatOut}`,
    `${order.payoutCountry} ${order.payoutAccount ?? order.payoutMethod}`,
    order.purpose,
    order.orderId,
  ]);
  const content = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Report ${escaped(caseId)}</title><style>${style}</style></head><body>
<h1>Report of a suspicion</h1>
<p>${escaped(title)}</p>
<p>${escaped(reporter ? `${reporter.legalName}, ${reporter.licenceNumber}` : '')} · ${escaped(reportedBy)} · ${escaped(caseId)} · ${madeAt.toISOString().slice(0, 10)}</p>
<h2>What happened</h2><p class="narrative">${escaped(narrative)}</p>
<h2>Indicators</h2><p>${escaped(indicators.join(', '))}</p>
<h2>Persons</h2>${table(['Name', 'Address', 'Email', 'Customer'], people)}
<h2>Transfers</h2>${table(['Date (UTC)', 'Paid', 'Received', 'To', 'Purpose', 'Order'], transfers)}
</body></html>`;
  return { mediaType: 'text/html', content, missing: narrative === '' ? ['narrative'] : [] };
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th>${escaped(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

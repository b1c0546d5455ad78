/** A report as a page to print. It has no script, and nothing in it becomes markup. */
import { renderToString } from 'preact-render-to-string';
import { missingOf, type Report, type ReportData } from './report.js';

const style =
  'body{font:11pt/1.4 serif;margin:2cm}table{border-collapse:collapse;width:100%}td,th{border:1px solid;padding:2pt 4pt;text-align:start;vertical-align:top}h2{break-after:avoid}tr{break-inside:avoid}.narrative{white-space:pre-wrap}';

export function printedReport(data: ReportData): Report {
  const content = `<!doctype html>${renderToString(<Page data={data} />)}`;
  return { mediaType: 'text/html', content, missing: missingOf(data) };
}

function Page({ data }: { readonly data: ReportData }) {
  const { caseId, madeAt, reporter, reportedBy, title, narrative, indicators } = data;
  const licensee = reporter ? `${reporter.legalName}, ${reporter.licenceNumber}` : '';
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Report {caseId}</title>
        <style>{style}</style>
      </head>
      <body>
        <h1>Report of a suspicion</h1>
        <p>{title}</p>
        <p>{[licensee, reportedBy, caseId, madeAt.toISOString().slice(0, 10)].join(' · ')}</p>
        <h2>What happened</h2>
        <p class="narrative">{narrative}</p>
        <h2>Indicators</h2>
        <p>{indicators.join(', ')}</p>
        <h2>Persons</h2>
        <Table heads={['Name', 'Born', 'Document', 'Address', 'Email', 'Customer']} rows={personRows(data)} />
        <h2>Transfers</h2>
        <Table heads={['Date (UTC)', 'Paid', 'Received', 'To', 'Purpose', 'Order']} rows={orderRows(data)} />
      </body>
    </html>
  );
}

function personRows({ persons }: ReportData): string[][] {
  return persons.map(({ merchant, userId, profile, answers }) => [
    profile ? `${profile.firstName} ${profile.lastName}` : '',
    answers.dateOfBirth ?? '',
    [answers.documentType, answers.documentCountry, answers.documentNumber].filter(Boolean).join(' '),
    profile ? [profile.address, profile.postalCode, profile.city, profile.countryCode].join(', ') : '',
    profile?.email ?? '',
    `${merchant}/${userId}`,
  ]);
}

function orderRows({ orders }: ReportData): string[][] {
  return orders.map((order) => [
    order.createdAt.toISOString().slice(0, 16).replace('T', ' '),
    `${order.amountIn} ${order.fiatIn}`,
    `${order.amountOut} ${order.fiatOut}`,
    [order.payeeName, order.payoutCountry, order.payeeAccount ?? order.payoutMethod].filter(Boolean).join(', '),
    order.purpose,
    order.orderId,
  ]);
}

function Table({ heads, rows }: { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((text) => (
            <th>{text}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((text) => (
              <td>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

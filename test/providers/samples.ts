/** Documents as the sources publish them. */

export const ecbDocument = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-04-13'>
			<Cube currency='USD' rate='1.1684'/>
			<Cube currency='JPY' rate='186.75'/>
			<Cube currency='GBP' rate='0.87058'/>
			<Cube currency='HUF' rate='366.90'/>
			<Cube currency='IDR' rate='20082.05'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`;

/** The same document with these elements instead of its rates. */
export function ecbDocumentWith(cubes: string, day = "time='2026-04-13'"): string {
  const [beginning = ''] = ecbDocument.split("<Cube time='2026-04-13'>");
  return `${beginning}<Cube ${day}>${cubes}</Cube></Cube></gesmes:Envelope>`;
}

export const openExchangeRates = `{
  "disclaimer": "Usage subject to terms: https://openexchangerates.org/terms",
  "license": "https://openexchangerates.org/license",
  "timestamp": 1776081600,
  "base": "USD",
  "rates": {
    "AED": 3.6725,
    "BTC": 1.3478e-5,
    "EUR": 0.855872,
    "USD": 1,
    "VND": 26297.123456789012345
  }
}`;

export const fixer =
  '{"success":true,"timestamp":1776081600,"base":"EUR","date":"2026-04-13","rates":{"AED":4.290949,"NGN":1612.000001,"EUR":1}}';

export const exchangeRateApi =
  '{"result":"success","documentation":"https://www.exchangerate-api.com/docs","time_last_update_unix":1776038401,"time_last_update_utc":"Mon, 13 Apr 2026 00:00:01 +0000","time_next_update_unix":1776124801,"base_code":"USD","conversion_rates":{"USD":1,"KES":129.2003}}';

export function jsonWith(rates: string): string {
  return `{"timestamp":1776081600,"base":"USD","rates":${rates}}`;
}

/** Mobile numbers, by the numbering plans of Google's libphonenumber. */
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile';
import examples from 'libphonenumber-js/mobile/examples';

/** Returns the number in the form of E.164, or undefined when it is not a mobile number of that country. */
export function readMobileNumber(country: string, text: string): string | undefined {
  // The parser would find a number within any text.
  if (!/^\+?[0-9 ().-]{4,40}$/.test(text)) return undefined;
  const number = parsePhoneNumberFromString(text, codeOf(country));
  return number?.country === country && number.isValid() ? number.number : undefined;
}

export function exampleMobileNumber(country: string): string {
  const example = getExampleNumber(codeOf(country), examples);
  if (!example) throw new Error(`there is no example of a mobile number in ${country}`);
  return example.number;
}

export function callingCodeOf(country: string): string {
  return getCountryCallingCode(codeOf(country));
}

function codeOf(country: string): CountryCode {
  if (!isSupportedCountry(country)) throw new Error(`${country} has no numbering plan`);
  return country;
}

/** Lines of CSV by RFC 4180. Pure. */

export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => csvField(String(field))).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula: unless it is a number, it gets an apostrophe. */
function csvField(text: string): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads MAIL_FROM and MAIL_OPERATORS, such as `ops@example.com,compliance@example.com`. */
const address = /^[^\s@<>,]+@[^\s@<>,]+$/;

export function readAddresses(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

interface MailValues {
  readonly SMTP_URL: string | undefined;
  readonly OPERATOR_PORT: number | undefined;
  readonly OPERATOR_URL: string | undefined;
  readonly MAIL_FROM: string;
  readonly MAIL_OPERATORS: string;
}

export function mailFaults({ SMTP_URL, OPERATOR_PORT, OPERATOR_URL, MAIL_FROM, MAIL_OPERATORS }: MailValues): string[] {
  const wrong = Object.entries({ MAIL_FROM, MAIL_OPERATORS }).flatMap(([name, text]) =>
    readAddresses(text)
      .filter((one) => !address.test(one))
      .map((one) => `${name} must be an address such as ops@example.com, not ${JSON.stringify(one)}`),
  );
  if (SMTP_URL && !MAIL_FROM) wrong.push('MAIL_FROM is required with SMTP_URL: the sender of the mails');
  if (SMTP_URL && OPERATOR_PORT !== undefined && !OPERATOR_URL)
    wrong.push('OPERATOR_URL is required with SMTP_URL and OPERATOR_PORT: mails to operators lead there');
  return wrong;
}

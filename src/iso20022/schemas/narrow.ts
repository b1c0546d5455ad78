/**
 * Pure. Schemas of what we send: the elements that the writers use, in their order, with the lengths and characters of
 * a profile. Each is a part of the schema of ISO 20022, which may not be copied. Tests prove that what passes here
 * passes there.
 */
import type { BankProfile } from '../profiles.js';

/** A schema for one message, whose content follows in the elements and types given. */
export function schemaOf(namespace: string, root: string, content: string, profile: BankProfile): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified">
${element('Document', sequence(element(root, content)))}
${types(profile)}
</xs:schema>`;
}

/** An element with a type of its own, or a named one. */
export function element(name: string, type: string, occurs = ''): string {
  const bounds =
    { '': '', '?': ' minOccurs="0"', '+': ' maxOccurs="unbounded"' }[occurs] ?? ` minOccurs="0" maxOccurs="${occurs}"`;
  if (!type.startsWith('<')) return `<xs:element name="${name}" type="${type}"${bounds}/>`;
  return `<xs:element name="${name}"${bounds}>${type}</xs:element>`;
}

export function sequence(...elements: readonly string[]): string {
  return `<xs:complexType><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType>`;
}

export function choice(...elements: readonly string[]): string {
  return `<xs:complexType><xs:choice>${elements.join('')}</xs:choice></xs:complexType>`;
}

interface PartyParts {
  readonly hasAddress?: boolean;
  /** Whether the party may be known by a document too. */
  readonly hasDocument?: boolean;
}

export function party(profile: BankProfile, { hasAddress = true, hasDocument = false }: PartyParts = {}): string {
  const document = sequence(element('Id', 'Text35'), element('Issr', 'Country', '?'));
  const identification = sequence(element('PrvtId', sequence(element('Othr', document))));
  return sequence(
    element('Nm', 'Name'),
    ...(hasAddress ? [element('PstlAdr', address(profile), '?')] : []),
    ...(hasDocument ? [element('Id', identification, '?')] : []),
  );
}

function address(profile: BankProfile): string {
  const lines = profile.address === 'hybrid' ? [element('AdrLine', 'Text70', '2')] : [];
  return sequence(
    element('StrtNm', 'Text70', '?'),
    element('BldgNb', 'Text16', '?'),
    element('PstCd', 'Text16', '?'),
    element('TwnNm', 'Text35'),
    element('CtrySubDvsn', 'Text35', '?'),
    element('Ctry', 'Country'),
    ...lines,
  );
}

export const account = sequence(
  element('Id', choice(element('IBAN', 'Iban'), element('Othr', sequence(element('Id', 'AccountNumber'))))),
);

/** A bank by its BIC, or by what else is given: one element, or a sequence of them. */
export function agent(other = ''): string {
  const content = `<xs:complexType><xs:choice>${element('BICFI', 'Bic')}${other}</xs:choice></xs:complexType>`;
  return sequence(element('FinInstnId', content));
}

export const unnamedAgent = element('Othr', sequence(element('Id', 'AccountNumber')));

function types({ characters, nameLength, remittanceLength }: BankProfile): string {
  const text = (name: string, length: number) =>
    restricted(name, `<xs:pattern value="${characters.schemaClass}+"/>`, length);
  const pattern = (name: string, value: string) => restricted(name, `<xs:pattern value="${value}"/>`);
  const texts = [16, 35, 70, 105, 140].map((length) => text(`Text${length}`, length));
  return [
    ...texts,
    text('Name', nameLength),
    text('Remittance', remittanceLength),
    pattern('Identification', "[A-Za-z0-9+?:().,'\\-][A-Za-z0-9+?/:().,'\\-]{0,34}"),
    pattern('AccountNumber', "[A-Za-z0-9/?:().,'+ \\-]{1,34}"),
    pattern('Iban', '[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}'),
    pattern('Bic', '[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?'),
    pattern('Country', '[A-Z]{2}'),
    pattern('Code', '[A-Z0-9]{1,5}'),
    pattern('Reference', 'RF[0-9]{2}[A-Z0-9]{1,21}'),
    pattern('Uuid', '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'),
    pattern('Instant', '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\+00:00'),
    restricted('Count', '<xs:pattern value="[1-9][0-9]{0,14}"/>'),
    `<xs:simpleType name="Sum"><xs:restriction base="xs:decimal"><xs:minExclusive value="0"/></xs:restriction></xs:simpleType>`,
    `<xs:simpleType name="Decimal"><xs:restriction base="xs:decimal"><xs:minExclusive value="0"/><xs:totalDigits value="18"/>
      <xs:fractionDigits value="5"/></xs:restriction></xs:simpleType>`,
    restricted('Currency', '<xs:pattern value="[A-Z]{3}"/>'),
    `<xs:complexType name="Amount"><xs:simpleContent><xs:extension base="Decimal">
      <xs:attribute name="Ccy" type="Currency" use="required"/></xs:extension></xs:simpleContent></xs:complexType>`,
  ].join('\n');
}

function restricted(name: string, facets: string, length?: number): string {
  const limit = length === undefined ? '' : `<xs:minLength value="1"/><xs:maxLength value="${length}"/>`;
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string">${facets}${limit}</xs:restriction></xs:simpleType>`;
}

/** One of some fixed texts. */
export function oneOf(...texts: readonly string[]): string {
  const values = texts.map((text) => `<xs:enumeration value="${text}"/>`).join('');
  return `<xs:simpleType><xs:restriction base="xs:string">${values}</xs:restriction></xs:simpleType>`;
}

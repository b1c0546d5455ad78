/**
 * Owns the record of the licensee: who moves the money by law, who supervises it, and where customers complain.
 * Does not own merchants, who are its agents or distributors. Pure.
 */
import type { FieldFault } from '../errors.js';
import type { Locale } from '../locale.js';

/** An authority that supervises the licensee. */
export interface Supervisor {
  readonly name: string;
  readonly address: string;
  readonly phone: string;
  readonly url?: string;
  /** Whose authority it is. */
  readonly country: string;
  /** The state of a federal country, such as `NY`. Absent: the whole country. */
  readonly region?: string;
}

export interface SupportContact {
  readonly language: Locale;
  readonly phone?: string;
  readonly email?: string;
}

export interface ComplaintRoute {
  readonly email: string;
  readonly address: string;
  readonly phone?: string;
  /** The body that settles disputes out of court: PSD2 art. 101(3) and 102. */
  readonly disputeBody?: { readonly name: string; readonly url: string };
}

export interface Licensee {
  readonly legalName: string;
  /** Of the head office. */
  readonly address: string;
  readonly country: string;
  /** What kind of licence it is, such as `Payment institution`. */
  readonly licence: string;
  readonly licenceNumber: string;
  /** The public register that lists it. */
  readonly registerUrl?: string;
  readonly url?: string;
  /** The authority of the home country first. */
  readonly supervisors: readonly Supervisor[];
  readonly complaints: ComplaintRoute;
  /** At least one; the first one serves languages that have none of their own. */
  readonly support: readonly SupportContact[];
  /** The bank where money of customers is kept apart: PSD2 art. 10. */
  readonly safeguardingBank: string;
  /** Whether an order must carry the sender's acceptance of the disclosure. Absent: it need not. */
  readonly acceptedDisclosure?: 'optional' | 'required';
}

export interface StoredLicensee {
  readonly licensee: Licensee;
  /** Counts changes. */
  readonly version: number;
  readonly updatedAt: Date;
}

/** What the schema of a request cannot see. */
export function licenseeFaults({ supervisors, support }: Pick<Licensee, 'supervisors' | 'support'>): FieldFault[] {
  const places = supervisors.map(({ country, region = '' }) => `${country} ${region}`);
  const languages = support.map(({ language }) => language);
  return [
    ...repeated(places).map((at) => fault(`supervisors.${at}`, 'repeats the place of an earlier supervisor')),
    ...repeated(languages).map((at) => fault(`support.${at}.language`, 'repeats an earlier language')),
    ...support.flatMap(({ phone, email }, at) =>
      phone === undefined && email === undefined ? [fault(`support.${at}`, 'must have phone or email')] : [],
    ),
  ];
}

/** Who supervises a transfer of a sender who lives there: the state, else the country, else the home authority. */
export function supervisorFor(
  { supervisors }: Pick<Licensee, 'supervisors'>,
  country: string,
  region?: string,
): Supervisor | undefined {
  const ofCountry = supervisors.filter((supervisor) => supervisor.country === country);
  return (
    ofCountry.find((supervisor) => supervisor.region !== undefined && supervisor.region === region) ??
    ofCountry.find((supervisor) => supervisor.region === undefined) ??
    supervisors[0]
  );
}

export function supportIn({ support }: Pick<Licensee, 'support'>, locale: Locale): SupportContact | undefined {
  return support.find(({ language }) => language === locale) ?? support[0];
}

/** As customers are told: without what is only for the operator. */
export function viewOfLicensee(licensee: Licensee, supervisor: Supervisor | undefined) {
  const { legalName, address, licence, licenceNumber, registerUrl, url, complaints, support } = licensee;
  return {
    legalName,
    address,
    licence,
    licenceNumber,
    registerUrl: registerUrl ?? null,
    url: url ?? null,
    supervisor: supervisor
      ? { name: supervisor.name, address: supervisor.address, phone: supervisor.phone, url: supervisor.url ?? null }
      : null,
    complaints: {
      email: complaints.email,
      address: complaints.address,
      phone: complaints.phone ?? null,
      disputeBody: complaints.disputeBody ? { ...complaints.disputeBody } : null,
    },
    support: support.map(({ language, phone = null, email = null }) => ({ language, phone, email })),
  };
}

/** A sandbox has no licence, and its pages say so. */
export const simulatedLicensee: Licensee = {
  legalName: 'Sandbox Payments (no licence)',
  address: '1 Example Street, 28001 Madrid',
  country: 'ES',
  licence: 'Payment institution',
  licenceNumber: 'SANDBOX-0000',
  supervisors: [
    {
      name: 'Sandbox Supervisor',
      address: '2 Example Street, 28001 Madrid',
      phone: '+34 910 000 000',
      url: 'https://supervisor.example',
      country: 'ES',
    },
  ],
  complaints: {
    email: 'complaints@sandbox.example',
    address: '1 Example Street, 28001 Madrid',
    phone: '+34 910 000 001',
    disputeBody: { name: 'Sandbox Ombudsman', url: 'https://ombudsman.example' },
  },
  support: [{ language: 'en', phone: '+34 910 000 002', email: 'help@sandbox.example' }],
  safeguardingBank: 'Sandbox Bank',
};

function repeated(texts: readonly string[]): number[] {
  return texts.flatMap((text, at) => (texts.indexOf(text) < at ? [at] : []));
}

function fault(field: string, message: string): FieldFault {
  return { field, code: 'not_allowed', message };
}

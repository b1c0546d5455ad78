/** What a live instance needs to be set, and why: for `remesa config check` and the table of settings. Pure. */
export interface LiveNeed {
  readonly name: string;
  /** Without a required setting the service does not start. */
  readonly isRequired: boolean;
  /** What holds without it. */
  readonly without: string;
}

export const liveNeeds: readonly LiveNeed[] = [
  { name: 'BASE_URL', isRequired: true, without: 'the service does not start' },
  { name: 'DATABASE_URL', isRequired: true, without: 'the service does not start' },
  { name: 'MASTER_KEY', isRequired: true, without: 'the service does not start' },
  { name: 'SCREENING_LISTS', isRequired: false, without: 'nobody is cleared, so nobody is paid' },
  {
    name: 'TRUST_PROXY',
    isRequired: false,
    without: 'all callers behind your proxy count as one address and share its limits',
  },
  { name: 'METRICS_TOKEN', isRequired: false, without: '/metrics answers 404, so no alarm can be set on it' },
];

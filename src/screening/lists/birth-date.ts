/** Birth dates as lists write them: a day, a month, a year, a range of years, or about a year. */

export interface BirthRange {
  /** Both as numbers such as 19700131, so that they compare as dates do. */
  readonly from: number;
  readonly to: number;
  readonly isApproximate: boolean;
}

/** Reads `1970-01-31`, `1970-01` or `1970`. Returns undefined for anything else. */
export function readBirthDate(text: string): BirthRange | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  return birthRange(Number(year), month ? Number(month) : undefined, day ? Number(day) : undefined);
}

export function birthRange(year: number, month?: number, day?: number): BirthRange | undefined {
  const isPossible =
    year >= 1000 && year <= 9999 && (month ?? 1) >= 1 && (month ?? 1) <= 12 && (day ?? 1) >= 1 && (day ?? 1) <= 31;
  if (!isPossible) return undefined;
  return {
    from: year * 10_000 + (month ?? 1) * 100 + (day ?? 1),
    to: year * 10_000 + (month ?? 12) * 100 + (day ?? 31),
    isApproximate: false,
  };
}

export type BirthRelation = 'equal' | 'within' | 'close' | 'differs';

/** The best relation of the subject's date to any date of the entry; undefined when the entry has none. */
export function birthRelation(subject: BirthRange, dates: readonly BirthRange[]): BirthRelation | undefined {
  const [first] = dates;
  if (first && dates.length === 1) return relationOf(subject, first);
  const order: readonly BirthRelation[] = ['equal', 'within', 'close', 'differs'];
  const relations = new Set(dates.map((date) => relationOf(subject, date)));
  return order.find((relation) => relations.has(relation));
}

const yearsAround = 2;

function relationOf(subject: BirthRange, date: BirthRange): BirthRelation {
  const isDay = subject.from === subject.to;
  if (isDay && subject.from === date.from && subject.to === date.to && !date.isApproximate) return 'equal';
  const overlaps = subject.from <= date.to && date.from <= subject.to;
  if (overlaps) return 'within';
  const allowance = date.isApproximate ? yearsAround : isWholeYears(date) || isWholeYears(subject) ? 1 : 0;
  if (subject.from <= date.to + allowance * 10_000 && date.from - allowance * 10_000 <= subject.to) return 'close';
  return isDay && date.from === date.to && isMisread(subject.from, date.from) ? 'close' : 'differs';
}

function isWholeYears({ from, to }: BirthRange): boolean {
  return from % 10_000 === 101 && to % 10_000 === 1231;
}

/** Day and month in the other order, or one digit wrong: the usual errors of people who copy dates. */
function isMisread(left: number, right: number): boolean {
  const [leftYear, rightYear] = [Math.floor(left / 10_000), Math.floor(right / 10_000)];
  const [leftDay, rightDay] = [left % 10_000, right % 10_000];
  if (leftYear === rightYear) {
    const isSwapped = rightDay === (leftDay % 100) * 100 + Math.floor(leftDay / 100);
    return isSwapped || differingDigits(leftDay, rightDay) === 1;
  }
  return leftDay === rightDay && differingDigits(leftYear, rightYear) === 1;
}

function differingDigits(left: number, right: number): number {
  let count = 0;
  for (let unit = 1; unit < 10_000; unit *= 10) {
    if (Math.floor(left / unit) % 10 !== Math.floor(right / unit) % 10) count += 1;
  }
  return count;
}

/** What the operator writes into LIMITS_LEVEL_1: `order:200,24h:500,30d:1000,365d:5000,24h-orders:5,30d-orders:20`. */
import type { LevelLimits } from '../orders/limits/limits.js';
import { Fault, type Setting } from './settings.js';

const names = ['order', '24h', '30d', '365d', '24h-orders', '30d-orders'] as const;
type Name = (typeof names)[number];

/** The limits of one level: whole US dollars, and numbers of orders. */
export function levelLimits(options: { default: string }): Setting<LevelLimits> {
  return { defaultText: options.default, secret: false, parse: readLevelLimits };
}

function readLevelLimits(text: string): LevelLimits | Fault {
  const figures = new Map<string, number>();
  for (const written of text.split(',')) {
    const [, name = '', figure] = /^\s*([a-z0-9-]+):(\d{1,9})\s*$/.exec(written) ?? [];
    if (figure === undefined || figures.has(name)) return mustBe(text);
    figures.set(name, Number(figure));
  }
  if (figures.size !== names.length || names.some((name) => !figures.has(name))) return mustBe(text);
  const dollars = (name: Name) => BigInt(figures.get(name) ?? 0) * 100n;
  const count = (name: Name) => figures.get(name) ?? 0;
  const limits: LevelLimits = {
    amountPerOrder: dollars('order'),
    amount: { '24h': dollars('24h'), '30d': dollars('30d'), '365d': dollars('365d') },
    orders: { '24h': count('24h-orders'), '30d': count('30d-orders') },
  };
  return isRising(limits) ? limits : new Fault('must not allow less in a longer window than in a shorter one');
}

function isRising({ amountPerOrder, amount, orders }: LevelLimits): boolean {
  return (
    amountPerOrder <= amount['24h'] &&
    amount['24h'] <= amount['30d'] &&
    amount['30d'] <= amount['365d'] &&
    orders['24h'] <= orders['30d']
  );
}

const settingNames = ['LIMITS_LEVEL_1', 'LIMITS_LEVEL_2', 'LIMITS_LEVEL_3'] as const;
/** A setting that has a fault of its own is undefined. */
export type LimitSettings = Readonly<Record<(typeof settingNames)[number], LevelLimits | undefined>>;

/** Finds levels that allow less than the level below them. */
export function limitFaults(values: LimitSettings): string[] {
  return settingNames.flatMap((name, index) => {
    const below = settingNames[index - 1];
    const [lower, higher] = [below && values[below], values[name]];
    const isFault = lower && higher && !allowsAtLeast(higher, lower);
    return isFault ? [`${name} must not allow less than ${below}`] : [];
  });
}

function allowsAtLeast(limits: LevelLimits, least: LevelLimits): boolean {
  const leastFigures = figuresOf(least);
  return figuresOf(limits).every((figure, index) => figure >= (leastFigures[index] ?? 0));
}

function figuresOf({ amountPerOrder, amount, orders }: LevelLimits): (bigint | number)[] {
  return [amountPerOrder, ...Object.values(amount), ...Object.values(orders)];
}

function mustBe(text: string): Fault {
  const example = names.map((name) => `${name}:N`).join(',');
  return new Fault(`must be ${example} with whole numbers, amounts in US dollars, not ${JSON.stringify(text)}`);
}

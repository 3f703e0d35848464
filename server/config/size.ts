import { type TSchemaOptions, Type } from 'typebox';

/** A number as it is written: plain, or with a unit, such as `50M`. */
export const Size = (options: TSchemaOptions) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,11}[KMG]?$' })], {
    title: 'a number, optionally with the unit K, M or G',
    examples: ['50M'],
    ...options,
  });

const units = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** A size as the number that it stands for. */
export function wholeSize(size: number | string): number {
  if (typeof size === 'number') return size;
  const unit = units[size.at(-1) as keyof typeof units] ?? 1;
  return Number.parseInt(size, 10) * unit;
}

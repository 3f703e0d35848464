import { type TSchemaOptions, Type } from 'typebox';

/** A time span as it is written: milliseconds, or a number with its unit, such as `2m`. */
export const Duration = (options: TSchemaOptions) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,12}[smhdwy]?$' })], {
    title: 'a duration',
    examples: ['30m'],
    ...options,
  });

const units = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** A time span in milliseconds. */
export function milliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const unit = units[duration.at(-1) as keyof typeof units] ?? 1;
  return Number.parseInt(duration, 10) * unit;
}

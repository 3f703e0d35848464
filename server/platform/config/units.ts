/** Durations and sizes with units. */
import { type TSchemaOptions, Type } from 'typebox';

/** A setting in milliseconds or with a unit, such as `2m`. */
export const Duration = (options: TSchemaOptions) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,12}[smhdwy]?$' })], {
    title: 'a duration',
    examples: ['30m'],
    ...options,
  });

const durationUnits = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** Returns a duration in milliseconds. */
export function milliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const unit = durationUnits[duration.at(-1) as keyof typeof durationUnits] ?? 1;
  return Number.parseInt(duration, 10) * unit;
}

/** A number, optionally with a unit, such as `50M`. */
export const Size = (options: TSchemaOptions) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,11}[KMG]?$' })], {
    title: 'a number, optionally with the unit K, M or G',
    examples: ['50M'],
    ...options,
  });

const units = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

export function wholeSize(size: number | string): number {
  if (typeof size === 'number') return size;
  const unit = units[size.at(-1) as keyof typeof units] ?? 1;
  return Number.parseInt(size, 10) * unit;
}

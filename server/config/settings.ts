/** `homeserver.yaml` as a whole: what of it the sections declare. */
import { type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sections } from './config.ts';

/** What a file holds, by the names that are written in it. */
export type Settings = Record<string, unknown>;

/** Every setting that is declared. */
export const declared: TProperties = Object.assign({}, ...sections.map(({ settings }) => settings));

/** The file, as JSON Schema. It may hold more: settings of other servers of this kind are only warned of. */
export const SettingsSchema = Type.Object(declared, { additionalProperties: true });

/**
 * What is written, completed with the defaults. A name with nothing under it (`caches:`) is as good as not
 * written.
 */
export const withDefaults = (written: Settings): Settings =>
  Value.Default(SettingsSchema, withoutNothing(written)) as Settings;

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNothing(part)]),
  );
}

/** Checks written settings against their declarations: values to refuse, and names to warn of. */
import { closest, distance } from 'fastest-levenshtein';
import type { TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { knownSettings } from '../../../shared/upgrade/known-settings.ts';
import { declared, type Settings } from './config.ts';
import { ConfigurationError, printable, type Refuse } from './configuration-error.ts';
import { settingsWithoutEffect } from './without-effect.ts';

/** The keywords of JSON Schema that declarations use. */
type Declaration = TSchema & {
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Declaration>;
  patternProperties?: Record<string, Declaration>;
  additionalProperties?: boolean | Declaration;
  items?: Declaration;
  title?: string;
  examples?: readonly string[];
  /** All names that a map may have beside its properties. */
  known?: readonly string[];
};

/**
 * Refuses each value that doesn't match its declaration.
 *
 * @param value the written settings with their defaults
 * @param refuse gets errors that name the setting and quote no value
 * @returns the names of the refused settings
 */
export function refuseFaults(schema: TObject, value: unknown, refuse: Refuse): Set<string> {
  const faulty = new Set<string>();
  if (Value.Check(schema, value)) return faulty;
  const refused: string[] = [];
  for (const error of Value.Errors(schema, value)) {
    const path = error.instancePath.split('/').slice(1).map(unescapePointer);
    const missing = error.keyword === 'required' ? error.params.requiredProperties : [undefined];
    for (const name of missing) {
      const setting = [...path, ...(name === undefined ? [] : [name])];
      // A union has an error for each of its choices.
      if (refused.some((other) => isWithin(other, setting.join('.')))) continue;
      refused.push(setting.join('.'));
      faulty.add(setting[0] ?? '');
      refuse(
        name === undefined
          ? wrong(schema, value, path, error.message)
          : lacking(schema, setting, error.message),
      );
    }
  }
  return faulty;
}

const isWithin = (one: string, other: string) =>
  one === other || other.startsWith(`${one}.`) || one.startsWith(`${other}.`);

function lacking(schema: TObject, path: readonly string[], message: string): ConfigurationError {
  const what = inWords(declarationAt(schema, path), message);
  return new ConfigurationError(path.join('.'), 'missing', `set ${what}`);
}

function wrong(
  schema: TObject,
  value: unknown,
  path: readonly string[],
  message: string,
): ConfigurationError {
  const setting = path.join('.');
  const declaration = declarationAt(schema, path);
  if (!declaration) return unknownPart(setting, path.at(-1) ?? '', declarationAt(schema, path.slice(0, -1)));
  return new ConfigurationError(
    setting,
    `must be ${inWords(declaration, message)}`,
    fix(declaration, at(value, path)),
  );
}

function unknownPart(setting: string, name: string, map: Declaration | undefined): ConfigurationError {
  const known = Object.keys(map?.properties ?? {});
  const meant = nearest(name, known);
  return new ConfigurationError(
    setting,
    'unknown setting',
    meant ? `did you mean ${meant}?` : `use one of ${known.join(', ')}, or remove it`,
  );
}

const numbers: Record<string, string> = { integer: 'a whole number', number: 'a number' };

function inWords(declaration: Declaration | undefined, message: string): string {
  if (declaration?.title) return declaration.title;
  const { type, minimum, maximum, exclusiveMinimum } = (declaration ?? {}) as Record<string, unknown>;
  if (declaration?.enum) return `one of ${declaration.enum.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'a string';
  if (type === 'array') return 'a list';
  if (type === 'object') return 'a map';
  const number = numbers[String(type)];
  if (!number) return message.replace(/^must be /, '');
  if (minimum !== undefined && maximum !== undefined) return `${number} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${number}, at least ${minimum}`;
  return exclusiveMinimum === undefined ? number : `${number} above ${exclusiveMinimum}`;
}

function fix({ type, examples }: Declaration, found: unknown): string {
  if (examples) return `use a value such as ${examples[0]}, or remove it`;
  if (type === 'string' && typeof found !== 'object' && found !== '') return 'put it in quotes';
  return 'correct it, or remove it';
}

function declarationAt(schema: Declaration, path: readonly string[]): Declaration | undefined {
  let declaration: Declaration | undefined = schema;
  for (const name of path) {
    const parts: Declaration = declaration ?? {};
    const { additionalProperties: others } = parts;
    declaration =
      parts.items ??
      parts.properties?.[name] ??
      Object.values(parts.patternProperties ?? {})[0] ??
      (typeof others === 'object' ? others : undefined);
  }
  return declaration;
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = (found as Record<string, unknown> | undefined)?.[name];
  return found;
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** Suggestions are slow, and a file with more unknown settings isn't a homeserver configuration. */
const maximumSuggestions = 100;

/** Returns warnings, one a line, which quote names and never values. */
export function warningsFor(written: Settings): string[] {
  const known = new Set([...Object.keys(declared), ...knownSettings]);
  const given = Object.keys(written);
  const idle = given.filter(hasNoEffect);
  return [
    ...given
      .filter((name) => !known.has(name))
      .map((name, index) =>
        unknownSetting(name, nearest(name, index < maximumSuggestions ? [...known] : [])),
      ),
    ...given.flatMap((name) => misspellingsIn(name, declared[name], written[name])),
    ...(idle.length > 0 ? [`${idle.join(', ')}: no effect on this server`] : []),
  ];
}

/** Synapse's settings for features that this server doesn't have: federation, workers, email, single sign-on. */
const hasNoEffect = (name: string) =>
  settingsWithoutEffect.has(name) || (knownSettings.has(name) && !Object.hasOwn(declared, name));

const unknownSetting = (name: string, meant: string | undefined) =>
  `${printable(name)}: unknown setting${meant ? `; did you mean ${meant}?` : ''}`;

/**
 * Maps may have names that this server doesn't know. Warns of those that resemble a missing one, and of all where
 * every name is known.
 */
function misspellingsIn(path: string, declaration: Declaration = {}, value: unknown): string[] {
  const { properties = {}, items, known } = declaration;
  if (Array.isArray(value))
    return value.flatMap((item, index) => misspellingsIn(`${path}[${index}]`, items, item));
  if (typeof value !== 'object' || value === null) return [];
  const given = Object.entries(value);
  const missing = [...Object.keys(properties), ...(known ?? [])].filter(
    (name) => !Object.hasOwn(value, name),
  );
  return given.flatMap(([name, part], index) => {
    const inside = `${path}.${name}`;
    if (Object.hasOwn(properties, name)) return misspellingsIn(inside, properties[name], part);
    if (known?.includes(name)) return [];
    const meant = nearest(name, index < maximumSuggestions ? missing : []);
    return meant || known ? [unknownSetting(inside, meant)] : [];
  });
}

/** Returns the known name that a misspelled one most likely means; undefined if none is similar. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  return distance(name, candidate) <= Math.max(name.length, candidate.length) / 2 ? candidate : undefined;
}

/** What is written, and isn't what the declaration says: found, and put into words. */
import type { TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigurationError, type Refuse } from './configuration-error.ts';
import { nearest } from './nearest.ts';

/** What of JSON Schema the declarations of settings use. */
type Declaration = TSchema & {
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Declaration>;
  patternProperties?: Record<string, Declaration>;
  items?: Declaration;
  title?: string;
  examples?: readonly string[];
};

/**
 * Refuses each value that is not what its declaration says.
 *
 * @param schema what may be written
 * @param value what is written, with the defaults
 * @param refuse gets errors that name the setting and quote no value
 * @returns the names of the settings that have such a value in them
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
      // Of alternatives each says something of the same value.
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
    wayOut(declaration, at(value, path)),
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

function wayOut({ type, examples }: Declaration, found: unknown): string {
  if (examples) return `use a value such as ${examples[0]}, or remove it`;
  if (type === 'string' && typeof found !== 'object' && found !== '') return 'put it in quotes';
  return 'correct it, or remove it';
}

function declarationAt(schema: Declaration, path: readonly string[]): Declaration | undefined {
  let declaration: Declaration | undefined = schema;
  for (const name of path) {
    const parts: Declaration = declaration ?? {};
    declaration = parts.items ?? parts.properties?.[name] ?? Object.values(parts.patternProperties ?? {})[0];
  }
  return declaration;
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = (found as Record<string, unknown> | undefined)?.[name];
  return found;
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

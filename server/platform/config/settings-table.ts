/** The table of settings in `docs/configuration.md`, generated from their declarations. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { declared } from './config.ts';

/** Returns the table in Markdown, with a row for each setting, or part of one, that has a description. */
export function settingsTable(): string {
  const rows = Object.entries(declared).flatMap(([name, declaration]) => rowsFor(name, declaration));
  return ['| Setting | Default | Description |', '| --- | --- | --- |', ...rows].join('\n');
}

type Declaration = TSchema & {
  description?: string;
  default?: unknown;
  properties?: Record<string, Declaration>;
  items?: Declaration;
};

function rowsFor(name: string, declaration: Declaration): string[] {
  const { description, properties, items } = declaration;
  const parts = Object.entries(properties ?? {}).flatMap(([part, inner]) =>
    rowsFor(`${name}.${part}`, inner),
  );
  const entries = Object.entries(items?.properties ?? {}).flatMap(([part, inner]) =>
    rowsFor(`${name}[].${part}`, inner),
  );
  const own = description ? [`| \`${name}\` | ${defaultOf(declaration)} | ${description} |`] : [];
  return [...own, ...parts, ...entries];
}

function defaultOf(declaration: Declaration): string {
  if (declaration.default === undefined) return '';
  return `\`${asYaml(Value.Default(declaration, undefined))}\``;
}

/** A value on one line, as it may be written in the file. */
function asYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asYaml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === '*' ? "'*'" : String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name}: ${asYaml(part)}`);
  return `{${parts.join(', ')}}`;
}

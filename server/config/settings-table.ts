/** The README's table of settings, made from their declarations. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { declared } from './settings.ts';

/** The table in Markdown: a row for every setting that has a description, and for its parts that have one. */
export function settingsTable(): string {
  const rows = Object.entries(declared).flatMap(([name, declaration]) => rowsFor(name, declaration));
  return ['| setting | default | what it does |', '| --- | --- | --- |', ...rows].join('\n');
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

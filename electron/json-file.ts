/** A small JSON file in the profile with a schema. */
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { readJson } from '../shared/read-json.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { log } from './log.ts';
import { readProfileFile, setAside } from './profile-file.ts';

export type JsonFile<Content> = { read(): Content; write(content: Content): void };

/**
 * Invalid content is set aside and replaced by the default. A change that can't be written lasts until the app exits:
 * `fault` then has the reason.
 */
export function jsonFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
  atFirst: Static<Schema>,
): JsonFile<Static<Schema>> & { fault(): unknown } {
  let fault: unknown;
  let content = load(path, schema) ?? atFirst;
  return {
    read: () => content,
    write(changed) {
      content = changed;
      fault = undefined;
      try {
        writeFileAtomically(path, JSON.stringify(changed));
      } catch (error) {
        fault = error;
        log.warn(`settings: couldn't write ${path}:`, error);
      }
    },
    fault: () => fault,
  };
}

function load<Schema extends TSchema>(path: string, schema: Schema): Static<Schema> | undefined {
  const bytes = readProfileFile(path);
  if (typeof bytes === 'string') return undefined;
  try {
    const content: unknown = readJson(bytes.toString());
    if (Value.Check(schema, content)) return content;
  } catch {
    // Treated below like any other invalid shape.
  }
  log.warn(`settings: ${path} is invalid: moving it aside`);
  setAside(path);
  return undefined;
}

/**
 * Configuration files that a person gives the page. They hold secrets: only their places are ever shown,
 * they stay in this page's memory, and leaving the screen forgets them.
 */

import { i18n } from '@lingui/core';
import type { ConfigurationFile } from '../../../shared/upgrade/configuration.ts';
import { byteSize } from '../../components/byte-size.ts';

/** A file by its name: read, or the reason why it can't be. */
export type GivenFile = { name: string; read: ConfigurationFile } | { name: string; problem: string };

/** The largest that is taken for configuration, in bytes. */
const mostBytes = 2_000_000;

export async function readFiles(files: readonly File[]): Promise<GivenFile[]> {
  const taken = new Set<string>();
  return Promise.all(
    files.map((file) => {
      // Two workers' files may have one name, in two directories.
      let name = file.name;
      for (let number = 2; taken.has(name); number++) name = `${file.name} (${number})`;
      taken.add(name);
      return readFile(name, file);
    }),
  );
}

async function readFile(name: string, file: File): Promise<GivenFile> {
  if (file.size > mostBytes) {
    return {
      name,
      problem: i18n.t(
        "it is too large for configuration ({size}). Add homeserver.yaml and the workers' files only.",
        { size: byteSize(file.size) },
      ),
    };
  }
  let text: string;
  try {
    text = await file.text();
  } catch {
    return {
      name,
      problem: i18n.t('it could not be read. Add files, not folders, and check that you may read them.'),
    };
  }
  // The reader of YAML is as large as a screen, and most people come without files.
  const { ConfigurationFileError, readConfiguration } = await import(
    '../../../shared/upgrade/configuration.ts'
  );
  try {
    return { name, read: readConfiguration(name, text) };
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    const place = error.at ? ` (${i18n.t('line {line}, column {column}', error.at)})` : '';
    return {
      name,
      problem: i18n.t('{problem}{place}. Mend it, then add it again.', {
        problem: i18n.t(error.problem.sentence, error.problem.values),
        place,
      }),
    };
  }
}

/** Files with those that were added later; a file takes the place of one with its name. */
export function withFiles(given: readonly GivenFile[], added: readonly GivenFile[]): GivenFile[] {
  const names = new Set(added.map(({ name }) => name));
  return [...given.filter(({ name }) => !names.has(name)), ...added];
}

/**
 * Reads configuration files that the user adds. They contain secrets: only places are shown, they stay in memory, and
 * leaving the screen drops them.
 */
import { i18n } from '@lingui/core';
import type { Finding } from '../../../shared/api/upgrade-plan.ts';
import type { SearchedFile } from '../../../shared/upgrade/configuration.ts';
import { byteSize } from '../../words/format.ts';
import { parseInWorker } from './configuration-reader.ts';

/** A file, or why it couldn't be read. */
export type ConfigurationFile = { name: string; read: SearchedFile } | { name: string; problem: string };

/** In bytes. */
const maxBytes = 2_000_000;

/** Reads files one by one, because each takes a worker. */
export async function readFiles(files: readonly File[]): Promise<ConfigurationFile[]> {
  const read: ConfigurationFile[] = [];
  const names = new Set<string>();
  for (const file of files) {
    // Files from different directories may share a name.
    let name = file.name;
    for (let number = 2; names.has(name); number++) name = `${file.name} (${number})`;
    names.add(name);
    read.push(await readFile(name, file));
  }
  return read;
}

async function readFile(name: string, file: File): Promise<ConfigurationFile> {
  if (file.size > maxBytes) {
    return {
      name,
      problem: i18n.t('too large ({size}). Add only homeserver.yaml and worker files.', {
        size: byteSize(file.size),
      }),
    };
  }
  let text: string;
  try {
    text = await file.text();
  } catch {
    return {
      name,
      problem: i18n.t("couldn't read the file. Add readable files, not folders."),
    };
  }
  const read = await parseInWorker(name, text);
  if (!('problem' in read)) return { name, read };
  const place = read.at ? ` (${i18n.t('line {line}, column {column}', read.at)})` : '';
  return {
    name,
    problem: i18n.t('{problem}{place}. Fix and re-add the file.', {
      problem: i18n.t(read.problem.sentence, read.problem.values),
      place,
    }),
  };
}

/** Adds files, replacing those of the same name. */
export function mergeFiles(
  files: readonly ConfigurationFile[],
  added: readonly ConfigurationFile[],
): ConfigurationFile[] {
  const names = new Set(added.map(({ name }) => name));
  return [...files.filter(({ name }) => !names.has(name)), ...added];
}

/** Formats `homeserver.yaml:12`, or the file alone if the setting is absent. */
export const formatPlace = ({ file, line }: Finding) => (line === null ? file : `${file}:${line}`);

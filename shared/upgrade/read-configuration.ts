/** Reads configuration files, for planners and for the homeserver itself. */
import { isMap, isScalar, LineCounter } from 'yaml';
import { caveatsOf, isTemplate } from './caveats.ts';
import { type ConfigurationFile, ConfigurationFileError } from './configuration.ts';
import { findSetting, topNames } from './find-setting.ts';
import { parseSettings, sentenceOf } from './parse-settings.ts';

/** Longer files aren't configurations, and would take long to parse. */
const mostCharacters = 2_000_000;

/**
 * Reads `homeserver.yaml`, a part of it, or a worker's file.
 *
 * @param name of the file in the plan
 * @throws ConfigurationFileError
 */
export function readConfiguration(name: string, text: string): ConfigurationFile {
  if (text.length > mostCharacters) {
    throw new ConfigurationFileError(name, {
      sentence: /*i18n*/ 'too large (over {megabytes} MB)',
      values: { megabytes: mostCharacters / 1_000_000 },
    });
  }
  // A binary file.
  if (text.includes('\0')) {
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'not a text file' });
  }
  const lines = new LineCounter();
  const { document, aliases, fault } = parseSettings(name, text, lines);
  if (fault) {
    const before = text.slice(0, fault.pos[0]).split('\n');
    const at = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    const line = text.split('\n')[at.line - 1] ?? '';
    const sentence = isTemplate(line)
      ? /*i18n*/ 'a template, not filled in; add the rendered file'
      : sentenceOf(fault, text, at);
    throw new ConfigurationFileError(name, { sentence }, at);
  }
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents)) {
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'no settings' });
  }
  const file: ConfigurationFile = {
    name,
    isWorker: false,
    isMain: false,
    caveats: caveatsOf(name, document, lines),
    document,
    aliases,
    lines,
    find: (path) => findSetting(file, path),
    names: () => topNames(file),
  };
  const has = (key: string) => file.find(key).length > 0;
  file.isWorker = has('worker_app');
  file.isMain = !file.isWorker && ['server_name', 'listeners', 'database'].some(has);
  return file;
}

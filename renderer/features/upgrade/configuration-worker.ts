/** Worker that parses one configuration file, since crafted YAML can keep a parser busy forever. */
import { ConfigurationFileError } from '../../../shared/upgrade/configuration.ts';
import { countPlaces, findPlaces } from '../../../shared/upgrade/found-places.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import type { FileAnswer, FileToRead } from './configuration-reader.ts';

addEventListener('message', ({ data }: MessageEvent<FileToRead>) => postMessage(answer(data)));

/** More would slow down the page. */
const maxPlaces = 20_000;

function answer({ name, text, query }: FileToRead): FileAnswer {
  try {
    const found = findPlaces(readConfiguration(name, text), query);
    return countPlaces(found) > maxPlaces ? { problem: tooMany } : { found };
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    return { problem: error.problem, at: error.at };
  }
}

const tooMany = {
  sentence: /*i18n*/ 'more than {most} settings',
  values: { most: maxPlaces },
};

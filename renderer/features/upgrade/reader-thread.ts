/** The thread that reads one configuration file, which a text that is made for it can keep busy for as long as it lives. */
import { ConfigurationFileError } from '../../../shared/upgrade/configuration.ts';
import { countPlaces, findPlaces } from '../../../shared/upgrade/found-places.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import type { FileAnswer, FileToRead } from './read-apart.ts';

addEventListener('message', ({ data }: MessageEvent<FileToRead>) => postMessage(answer(data)));

/** With more of them the page would take long to receive them, and to make a plan of them. */
const mostPlaces = 20_000;

function answer({ name, text, asked }: FileToRead): FileAnswer {
  try {
    const found = findPlaces(readConfiguration(name, text), asked);
    return countPlaces(found) > mostPlaces ? { problem: tooMany } : { found };
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    return { problem: error.problem, at: error.at };
  }
}

const tooMany = {
  sentence: /*i18n*/ 'more than {most} settings',
  values: { most: mostPlaces },
};

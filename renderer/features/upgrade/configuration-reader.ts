/** Parses a configuration file in a worker, with a time limit. */
import type { Sentence } from '../../../shared/sentence.ts';
import type { SearchedFile } from '../../../shared/upgrade/configuration.ts';
import { type FoundPlaces, fileOfPlaces } from '../../../shared/upgrade/found-places.ts';
import { type SettingQuery, settingQuery } from '../../../shared/upgrade/rules/configuration-rules.ts';

export type FileToRead = { name: string; text: string; query: SettingQuery };

/** Why and where a file is invalid. */
type FileProblem = { problem: Sentence; at?: { line: number; column: number } | undefined };
export type FileAnswer = { found: FoundPlaces } | FileProblem;

/** In seconds; a file of hundreds of KB takes less than one. */
const timeLimit = 5;

export async function parseInWorker(name: string, text: string): Promise<SearchedFile | FileProblem> {
  const answer = await runWorker({ name, text, query: settingQuery });
  return 'found' in answer ? fileOfPlaces(name, answer.found) : answer;
}

function runWorker(file: FileToRead): Promise<FileAnswer> {
  const worker = new Worker(new URL('./configuration-worker.ts', import.meta.url), { type: 'module' });
  let limit: number | undefined;
  return new Promise<FileAnswer>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) => resolve(data));
    // A worker whose script can't be loaded fires an empty error.
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'Missing: a module script')),
    );
    limit = window.setTimeout(() => resolve({ problem: tooSlow }), timeLimit * 1_000);
    worker.postMessage(file);
  }).finally(() => {
    clearTimeout(limit);
    worker.terminate();
  });
}

const tooSlow: Sentence = {
  sentence: /*i18n*/ 'takes over {seconds} seconds to read',
  values: { seconds: timeLimit },
};

import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readJson } from '../../../shared/read-json.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { markPattern, processMark, whereabouts } from '../../platform/core/process.ts';

/** Whoever is killed on the way has one of both, whole. It may hold secrets. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const next = `${file}.next`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(next, content, { mode: 0o600, flush: true });
    await rename(next, file);
  } catch (error) {
    // Half of it takes room on a disk that has none left.
    await rm(next, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * What is known beside a data directory of the last time that its data was replaced: that it is under way, so that the next
 * start goes back where that was cut off, and afterwards where the data from before is.
 */

const Replacement = Type.Union([
  Type.Object({
    step: Type.Literal('begun'),
    /** The process that does it. */
    by: Type.String({ pattern: `^${markPattern}$` }),
    kept_at: Type.String(),
    /** Where what is served now stood before, and goes again; without it, it was made anew. */
    from: Type.Optional(Type.String()),
  }),
  Type.Object({ step: Type.Literal('done'), kept_at: Type.String() }),
]);
type Replacement = Static<typeof Replacement>;
type Places = { kept_at: string; from?: string | undefined };

const recordOf = (dataDir: string) => `${dataDir}.replaced.json`;

/** Says that replacing begins, by this process. */
export const noteBegin = (dataDir: string, { kept_at, from }: Places) =>
  note(dataDir, { step: 'begun', by: processMark(), kept_at, ...(from !== undefined && { from }) });

/** Says that it is done, and where the data from before is. */
export const noteEnd = (dataDir: string, { kept_at }: Places) => note(dataDir, { step: 'done', kept_at });

const note = (dataDir: string, replacement: Replacement) =>
  replaceFile(recordOf(dataDir), JSON.stringify(replacement));

export const forgetReplacement = (dataDir: string) => rm(recordOf(dataDir), { force: true });

/** Where the data is that the last reset or restore left; undefined where there is none to go back to. */
export function dataFromBefore(dataDir: string): string | undefined {
  const found = read(dataDir, recordOf(dataDir));
  return found?.step === 'done' && existsSync(found.kept_at) ? found.kept_at : undefined;
}

/** The data from before in its place again, by the only process that is about it, which has noted that it began. */
export async function goBack(dataDir: string, places: Places): Promise<void> {
  await putBack(dataDir, places);
  await forgetReplacement(dataDir);
}

/** Can be done any number of times. Nothing is deleted before the data is in its place. */
async function putBack(dataDir: string, { kept_at: keptAt, from }: Places): Promise<void> {
  const begun = `${keptAt}-begun`;
  const begunAgain = `${begun}-again`;
  for (let tries = 0; existsSync(keptAt); tries++) {
    if (existsSync(dataDir)) {
      // Whoever was late has made another one, and is told so before anything is kept there.
      if (existsSync(begun)) await rm(begunAgain, { recursive: true, force: true });
      const isFree = from !== undefined && !existsSync(from);
      await rename(dataDir, isFree ? from : existsSync(begun) ? begunAgain : begun);
    }
    await rename(keptAt, dataDir).catch((error: NodeJS.ErrnoException) => {
      if (tries === 3 || !['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
    });
  }
  if (!existsSync(dataDir)) return;
  await rm(begunAgain, { recursive: true, force: true });
  await rm(begun, { recursive: true, force: true });
}

/**
 * Goes back where replacing the data was cut off. Of several programs that start at once, one does it.
 *
 * @param say gets a line where that was so
 * @throws ConfigurationError where it is under way, or not known to be over
 */
export async function settleReplacement(dataDir: string, say: (line: string) => void): Promise<void> {
  const record = recordOf(dataDir);
  const taken = `${record}.${processMark()}`;
  for (const from of await unsettled(dataDir)) {
    const mark = from === record ? begunBy(read(dataDir, record)) : from.slice(record.length + 1);
    if (mark !== undefined) requireOver(dataDir, mark, from);
    await rename(from, taken).catch(unlessGone(dataDir));
    const found = read(dataDir, taken);
    if (found?.step === 'begun') await putBack(dataDir, found);
    await rm(taken);
    say(`rolled back an interrupted replacement of the data in ${dataDir}`);
  }
}

/** Whether what stands there is not what stays: replacing it has begun and is not over, or is being taken back. */
export const isBeingReplaced = async (dataDir: string) => (await unsettled(dataDir)).length > 0;

/** In this order: what somebody takes meanwhile is found as taken. */
async function unsettled(dataDir: string): Promise<string[]> {
  const record = recordOf(dataDir);
  const begun = begunBy(read(dataDir, record)) === undefined ? [] : [record];
  return [...begun, ...(await takenOf(record))];
}

const begunBy = (found: Replacement | undefined) => (found?.step === 'begun' ? found.by : undefined);

/** Records that programs have taken to put the data back; each goes from one to the next, and never to its first name. */
async function takenOf(record: string): Promise<string[]> {
  const isTaken = new RegExp(`^${markPattern}$`);
  const names = await readdir(dirname(record)).catch(() => []);
  return names
    .filter(
      (name) =>
        name.startsWith(`${basename(record)}.`) && isTaken.test(name.slice(basename(record).length + 1)),
    )
    .map((name) => join(dirname(record), name));
}

function requireOver(dataDir: string, mark: string, record: string): void {
  const is = whereabouts(mark);
  if (is === 'gone' || is === 'here') return;
  const [pid] = mark.split('.');
  throw new ConfigurationError(
    '--data-dir',
    is === 'running'
      ? `process ${pid} is replacing the data`
      : `process ${pid} in another container is replacing the data, or was when it ended`,
    is === 'running'
      ? 'wait until it has finished'
      : `wait until it has finished; if the container is gone, move the directory in kept_at of ${record} back to ${dataDir} and delete ${record}`,
  );
}

const unlessGone = (dataDir: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
  throw new ConfigurationError(
    '--data-dir',
    `another starting program is rolling back the data in ${dataDir}`,
    'start again in a moment',
  );
};

/** What stands there, if anything: below what is no folder nothing does. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Its places stand beside the data directory, wherever the folder with all of them has come to since.
 *
 * @throws ConfigurationError where somebody else has written it, or it leads elsewhere: it decides what is served
 */
function read(dataDir: string, record: string): Replacement | undefined {
  const file = entryAt(record);
  if (!file) return undefined;
  const found = file.isFile() && file.size <= largest ? parsed(readFileSync(record, 'utf8')) : undefined;
  const isOurs = process.getuid === undefined || file.uid === process.getuid();
  if (isOurs && found && placesOf(found).every((place) => isNamedAfter(dataDir, place))) {
    const { kept_at, ...rest } = found;
    const beside = (place: string) => join(dirname(dataDir), basename(place));
    return {
      ...rest,
      kept_at: beside(kept_at),
      ...('from' in found && found.from !== undefined && { from: beside(found.from) }),
    };
  }
  // Of what is over it only tells where to find something.
  if (found?.step === 'done') return undefined;
  throw new ConfigurationError(
    '--data-dir',
    `${record} wasn't written by this program or this user`,
    `run the command as the owner of the data; or move the data to serve to ${dataDir} (previous data is kept next to it), then delete the record`,
  );
}

/** In bytes; each place is a path. */
const largest = 64 * 1024;

const placesOf = (found: Replacement): string[] =>
  found.step === 'begun' && found.from !== undefined ? [found.kept_at, found.from] : [found.kept_at];

const isNamedAfter = (dataDir: string, place: string) => basename(place).startsWith(`${basename(dataDir)}-`);

function parsed(text: string): Replacement | undefined {
  try {
    const value: unknown = readJson(text);
    return Value.Check(Replacement, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

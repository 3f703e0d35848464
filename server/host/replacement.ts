/**
 * What is known beside a data directory of the last time that its data was replaced: that it is under way, so that the next
 * start goes back where that was cut off, and afterwards where the data from before is.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigurationError } from '../config/configuration-error.ts';
import { markPattern, processMark, whereabouts } from '../core/running-process.ts';
import { replaceFile } from './replace-file.ts';

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

/** The data from before in its place again, by the only process that is about it. */
export async function goBack(dataDir: string, places: Places): Promise<void> {
  await putBack(dataDir, places);
  await forgetReplacement(dataDir);
}

/** Can be done any number of times. Nothing is deleted before the data is in its place. */
async function putBack(dataDir: string, { kept_at: keptAt, from }: Places): Promise<void> {
  const begun = `${keptAt}-begun`;
  if (existsSync(keptAt)) {
    if (existsSync(dataDir)) await rename(dataDir, from === undefined || existsSync(from) ? begun : from);
    await rename(keptAt, dataDir);
  }
  if (existsSync(dataDir)) await rm(begun, { recursive: true, force: true });
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
  for (const left of await takenBefore(record)) {
    requireOver(dataDir, left.slice(record.length + 1), left);
    await rename(left, record).catch(unlessGone(dataDir));
  }
  const found = read(dataDir, record);
  if (found?.step !== 'begun') return;
  requireOver(dataDir, found.by, record);
  await rename(record, taken).catch(unlessGone(dataDir));
  await putBack(dataDir, found);
  await rm(taken);
  say(`replacing the data in ${dataDir} was cut off: the data from before is in its place again`);
}

async function takenBefore(record: string): Promise<string[]> {
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
      ? `its data is being replaced by process ${pid}`
      : `its data is being replaced by process ${pid} of another container, or was when that ended`,
    is === 'running'
      ? 'wait until that is done'
      : `wait until that is done; if that container has ended, put what ${record} names as kept_at at ${dataDir} again and delete ${record}`,
  );
}

const unlessGone = (dataDir: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
  throw new ConfigurationError(
    '--data-dir',
    `another program that starts is putting the data in ${dataDir} in its place again`,
    'start again in a moment',
  );
};

/** @throws ConfigurationError where somebody else has written it, or it leads elsewhere: it decides what is served */
function read(dataDir: string, record: string): Replacement | undefined {
  const file = lstatSync(record, { throwIfNoEntry: false });
  if (!file) return undefined;
  const found = parsed(readFileSync(record, 'utf8'));
  const isOurs = file.isFile() && (process.getuid === undefined || file.uid === process.getuid());
  if (isOurs && found && placesOf(found).every((place) => isBeside(dataDir, place))) return found;
  // Of what is over it only tells where to find something.
  if (found?.step === 'done') return undefined;
  throw new ConfigurationError(
    '--data-dir',
    `${record} was not written by this program, or not by this user`,
    'delete it, or run this as the user whose data it is',
  );
}

const placesOf = (found: Replacement): string[] =>
  found.step === 'begun' && found.from !== undefined ? [found.kept_at, found.from] : [found.kept_at];

const isBeside = (dataDir: string, place: string) =>
  dirname(place) === dirname(dataDir) && basename(place).startsWith(`${basename(dataDir)}-`);

function parsed(text: string): Replacement | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Replacement, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

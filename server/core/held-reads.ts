/**
 * What requests hold in memory of what they have read: a user may have had more written than there is memory, and ask
 * for all of it at once. What each reads counts until its reply is made.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { getHeapStatistics } from 'node:v8';
import { MatrixError } from './matrix-error.ts';

/** About how many bytes may be held of what was read: by all requests, and by those of one user. */
const most = getHeapStatistics().heap_size_limit / 2;
const mostOfOne = Math.min(most / 2, 1024 ** 3);
/** So much of each request is not counted: nobody is refused a short reply because others ask for long ones. */
const spared = 500_000;

/** A request that reads, and how many bytes it holds. */
type Reading = { userId: string; held: number; isOver: boolean };

const readings = new AsyncLocalStorage<Reading | undefined>();
const countedByUser = new Map<string, number>();
let countedOfAll = 0;

/** Does the work of a request, with what it reads counted until that has ended. */
export function holdReads<Result>(userId: string, work: () => Result): Result {
  const reading: Reading = { userId, held: 0, isOver: false };
  const end = () => {
    release(reading);
    // What it has begun beside may go on.
    reading.isOver = true;
  };
  const result = readings.run(reading, work);
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

/** Does work of a request that holds little of what it reads for a moment, and is not to be refused any more. */
export const readBriefly = <Result>(work: () => Result): Result => readings.run(undefined, work);

/** Told of each text of JSON that is read. @throws MatrixError 429 where too much is held */
export function noteRead(json: string): void {
  const reading = readings.getStore();
  if (!reading || reading.isOver) return;
  hold(reading, sizeOf(json));
}

/**
 * Called where a request keeps this of what it has made, in bytes, and nothing of what it has read so far.
 *
 * @throws MatrixError 429 where too much is held
 */
export function keepOfReads(bytes: number): void {
  const reading = readings.getStore();
  if (!reading || reading.isOver) return;
  release(reading);
  hold(reading, bytes);
}

function hold(reading: Reading, bytes: number): void {
  const before = counted(reading);
  reading.held += bytes;
  count(reading, counted(reading) - before);
  if (countedOfAll <= most && (countedByUser.get(reading.userId) ?? 0) <= mostOfOne) return;
  release(reading);
  const refusal = 'Too many responses are waiting to be read';
  throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 5000 });
}

/** Called where a request keeps nothing of what it has read so far. */
export function forgetReads(): void {
  const reading = readings.getStore();
  if (reading) release(reading);
}

const counted = ({ held }: Reading) => Math.max(0, held - spared);

function release(reading: Reading): void {
  count(reading, -counted(reading));
  reading.held = 0;
}

function count({ userId }: Reading, more: number): void {
  if (more === 0) return;
  countedOfAll += more;
  const ofUser = (countedByUser.get(userId) ?? 0) + more;
  if (ofUser > 0) countedByUser.set(userId, ofUser);
  else countedByUser.delete(userId);
}

/** What a character takes as text that was read, as a value and as text that is sent, in bytes. */
const perCharacter = 4;
/** What small values take beside, which may be a hundred times as large as their text: by what each of them has one of. */
const perBracket = 64;
const perColon = 64;
const perComma = 32;
const [bracket, brace, colon, comma] = [0x5b, 0x7b, 0x3a, 0x2c];

/** About how many bytes of memory it takes to read a JSON, to work with it and to write it again. */
function sizeOf(json: string): number {
  let size = json.length * perCharacter;
  for (let place = 0; place < json.length; place++) {
    const code = json.charCodeAt(place);
    if (code === bracket || code === brace) size += perBracket;
    else if (code === colon) size += perColon;
    else if (code === comma) size += perComma;
  }
  return size;
}

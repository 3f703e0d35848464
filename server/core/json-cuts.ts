/** Where a long JSON text may be cut so that each piece is JSON as well: told without following what it says. */
import { yieldToEventLoop } from './yield.ts';

/** An object or a list that is long, from its first bracket to behind its last. */
export type LongPart = {
  start: number;
  end: number;
  /** Where the commas stand at which it is cut. One that is long itself is alone between two of them. */
  cuts: readonly number[];
  /** The long ones within, by where the piece begins in which each stands. */
  within: ReadonlyMap<number, LongPart>;
};

export type JsonCuts = {
  /** Whether it is nested more deeply than it may be; of such a text nothing else is told. */
  isTooDeep: boolean;
  /** Whether each bracket has its match; a text of which one has none is no JSON. */
  isMatched: boolean;
  /** All of it but blanks, where that is an object or a list that is long. */
  root: LongPart | undefined;
};

/** So many characters are a piece, where there is a comma: to parse them takes a millisecond. */
const pieceLength = 16_000;
/** So many are looked at between two looks at the clock. */
const lookLength = 16_384;

/** What was seen so far of an object or a list that has not ended. */
type Open = {
  start: number;
  /** Its last comma, and the last at which it is cut; its start before there is one. */
  comma: number;
  cut: number;
  cuts: number[];
  within: Map<number, LongPart>;
  /** Whether something long stands since the last comma. */
  isAfterLong: boolean;
};

const opened = (start: number): Open => ({
  start,
  comma: start,
  cut: start,
  cuts: noCuts,
  within: noParts,
  isAfterLong: false,
});
const noCuts: number[] = [];
const noParts: Map<number, LongPart> = new Map();

/** Looks through a text, over as many turns as that takes. @param mostDepth how deeply it may be nested */
export async function cutsOf(text: string, mostDepth: number): Promise<JsonCuts> {
  const open: Open[] = [];
  let root: LongPart | undefined;
  let [depth, index, isInString, isMatched] = [0, 0, false, true];
  while (index < text.length) {
    if (!look(Math.min(index + lookLength, text.length))) {
      return { isTooDeep: true, isMatched: false, root: undefined };
    }
    await yieldToEventLoop();
  }
  return { isTooDeep: false, isMatched: isMatched && depth === 0, root };

  /** @returns whether it is not too deep yet */
  function look(end: number): boolean {
    let at = index;
    let inString = isInString;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (inString) {
        if (unit === backslash) at++;
        else if (unit === quote) inString = false;
      } else if (unit === quote) inString = true;
      else if (unit === comma) noteComma(at);
      else if (unit === bracket || unit === brace) {
        if (++depth > mostDepth) return false;
        open.push(opened(at));
      } else if (unit === bracketEnd || unit === braceEnd) {
        depth--;
        noteEnd(at, unit === bracketEnd ? bracket : brace);
      }
    }
    [index, isInString] = [at, inString];
    return true;
  }

  function noteComma(at: number): void {
    const last = open.at(-1);
    if (!last) return;
    last.comma = at;
    if (last.isAfterLong || at - last.cut > pieceLength) cut(last, at);
  }

  function noteEnd(at: number, start: number): void {
    const last = open.pop();
    isMatched &&= text.charCodeAt(last?.start ?? at) === start;
    if (!last || at - last.start <= pieceLength) return;
    const part = { start: last.start, end: at + 1, cuts: last.cuts, within: last.within };
    const around = open.at(-1);
    if (!around) {
      root = part;
      return;
    }
    if (around.comma > around.cut) cut(around, around.comma);
    if (around.within === noParts) around.within = new Map();
    around.within.set(around.cut + 1, part);
    around.isAfterLong = true;
  }
}

function cut(part: Open, at: number): void {
  if (part.cuts === noCuts) part.cuts = [];
  part.cuts.push(at);
  part.cut = at;
  part.isAfterLong = false;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Word diff, bounded in time: both texts are untrusted. */

export type Piece = { kind: 'same' | 'gone' | 'new'; text: string };

/** Larger differences are shown as a whole. */
const maxSteps = 250_000;

export function wordDifference(before: string, after: string): Piece[] {
  const [old, now] = [words(before), words(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
  }
  const pieces: Piece[] = [
    { kind: 'same', text: old.slice(0, start).join('') },
    ...between(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    { kind: 'same', text: old.slice(old.length - end).join('') },
  ];
  return withoutGaps(merged(pieces));
}

const words = (text: string) => text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}]/gu) ?? [];

/** By the longest common subsequence. */
function between(old: string[], now: string[]): Piece[] {
  const [rows, columns] = [old.length, now.length];
  if (rows * columns > maxSteps) {
    return [
      { kind: 'gone', text: old.join('') },
      { kind: 'new', text: now.join('') },
    ];
  }
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && old[row] === now[column]) {
      pieces.push({ kind: 'same', text: old[row++] ?? '' });
      column++;
    } else if (column >= columns || (row < rows && at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: 'gone', text: old[row++] ?? '' });
    } else {
      pieces.push({ kind: 'new', text: now[column++] ?? '' });
    }
  }
  return pieces;
}

/** Merges changes that are separated only by spaces. */
function withoutGaps(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  let run: Piece[] = [];
  const endRun = () => {
    const isOpen = run.at(-1)?.kind === 'same';
    const after = isOpen ? run.splice(-1) : [];
    const textOf = (other: Piece['kind']) =>
      run.map(({ kind, text }) => (kind === other ? '' : text)).join('');
    const [gone, added] = [textOf('new'), textOf('gone')];
    const isReplaced = gone.trim() !== '' && added.trim() !== '';
    if (isReplaced) result.push({ kind: 'gone', text: gone }, { kind: 'new', text: added });
    else result.push(...run);
    result.push(...after);
    run = [];
  };
  for (const piece of pieces) {
    if (piece.kind !== 'same' || (run.length > 0 && piece.text.trim() === '')) run.push(piece);
    else {
      endRun();
      result.push(piece);
    }
  }
  endRun();
  return result;
}

function merged(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.text === '') continue;
    if (last?.kind === piece.kind) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}

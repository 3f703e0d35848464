import { expect, test } from 'vitest';
import { drawOverlay, overlaySize } from '../../electron/notifications/overlay.ts';

/** Returns the white pixels on the disc, one line per row. */
function seen(count: number): string[] {
  const pixels = drawOverlay(count);
  expect(pixels).toHaveLength(overlaySize ** 2 * 4);
  const isWhite = (at: number) => pixels.subarray(at, at + 4).every((value) => value === 0xff);
  const lines = Array.from({ length: overlaySize }, (_, y) =>
    Array.from({ length: overlaySize }, (_, x) => (isWhite((y * overlaySize + x) * 4) ? '#' : ' '))
      .join('')
      .trimEnd(),
  );
  return lines.filter((line) => line !== '');
}

test('the number is drawn on the disc at double size', () => {
  const twice = (line: string) => [line, line];
  expect(seen(7)).toEqual(
    ['     ######', '         ##', '       ##', '       ##', '       ##'].flatMap(twice),
  );
  expect(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => seen(count).join('\n'))).size).toBe(10);
});

test("a count that doesn't fit ends with a plus", () => {
  expect(seen(10)).toEqual(
    [' ######', ' ##  ##    ##', ' ######  ######', '     ##    ##', ' ######'].flatMap((line) => [
      line,
      line,
    ]),
  );
  expect(seen(2 ** 31 - 1)).toEqual(seen(10));
});

test('the area around the disc is transparent', () => {
  const pixels = drawOverlay(3);
  for (const corner of [0, overlaySize - 1, overlaySize * (overlaySize - 1), overlaySize ** 2 - 1]) {
    expect([...pixels.subarray(corner * 4, corner * 4 + 4)]).toEqual([0, 0, 0, 0]);
  }
});

/** The overlay icon with a count on Windows: a red disc with white digits. */

/** In pixels, at 100% scale. */
export const overlaySize = 16;

/** Three wide and five high, one row each; drawn at twice their size. */
const glyphs: Record<string, readonly string[]> = {
  1: [' # ', '## ', ' # ', ' # ', '###'],
  2: ['###', '  #', '###', '#  ', '###'],
  3: ['###', '  #', '###', '  #', '###'],
  4: ['# #', '# #', '###', '  #', '  #'],
  5: ['###', '#  ', '###', '  #', '###'],
  6: ['###', '#  ', '###', '# #', '###'],
  7: ['###', '  #', ' # ', ' # ', ' # '],
  8: ['###', '# #', '###', '# #', '###'],
  9: ['###', '# #', '###', '  #', '###'],
  '+': ['   ', ' # ', '###', ' # ', '   '],
};
const scale = 2;
const white = [0xff, 0xff, 0xff, 0xff];

/** @returns blue, green, red and alpha of each pixel */
export function drawOverlay(count: number): Buffer {
  const pixels = Buffer.alloc(overlaySize ** 2 * 4);
  const isInk = inkOf(count > 9 ? '9+' : String(count));
  for (let y = 0; y < overlaySize; y++) {
    for (let x = 0; x < overlaySize; x++) {
      const distance = Math.hypot(x - (overlaySize - 1) / 2, y - (overlaySize - 1) / 2);
      const opacity = Math.max(0, Math.min(1, overlaySize / 2 - distance));
      // Premultiplied.
      const red = [0x31, 0x31, 0xe0, 0xff].map((value) => Math.round(value * opacity));
      pixels.set(isInk(x, y) ? white : red, (y * overlaySize + x) * 4);
    }
  }
  return pixels;
}

/** Whether a centered text covers a pixel. */
function inkOf(text: string): (x: number, y: number) => boolean {
  const rows = Array.from({ length: 5 }, (_, row) => [...text].map((sign) => glyphs[sign]?.[row]).join(' '));
  const [first = ''] = rows;
  const left = Math.floor((overlaySize - first.length * scale) / 2);
  const top = Math.floor((overlaySize - rows.length * scale) / 2);
  return (x, y) => rows[Math.floor((y - top) / scale)]?.[Math.floor((x - left) / scale)] === '#';
}

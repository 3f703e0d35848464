/** A number on the app's icon; on Windows, whose icons have none, a dot that says it. */
import { app, BrowserWindow, nativeImage } from 'electron';
import { say } from './words.ts';

/** The system counts no further. */
const mostShown = 2 ** 31 - 1;

/** @param unreviewed as servers and the page say, who may say anything */
export function showBadge(unreviewed: number): void {
  const count = Math.min(unreviewed, mostShown);
  if (process.platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  const description = count > 0 ? say(/*i18n*/ '{count} unreviewed', { count }) : '';
  for (const window of BrowserWindow.getAllWindows()) {
    window.setOverlayIcon(count > 0 ? dot() : null, description);
  }
}

const size = 16;

/** A red disc, in the bytes of blue, green, red and opacity of each pixel. */
function dot() {
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x - (size - 1) / 2, y - (size - 1) / 2);
      const opacity = Math.max(0, Math.min(1, size / 2 - distance));
      // Each colour is multiplied with the opacity already.
      pixels.set(
        [0x31, 0x31, 0xe0, 0xff].map((value) => Math.round(value * opacity)),
        (y * size + x) * 4,
      );
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: size, height: size });
}

/** A count on the app's icon; on Windows as an overlay icon. */
import { app, BrowserWindow, nativeImage } from 'electron';
import { say } from '../words.ts';
import { drawOverlay, overlaySize } from './overlay.ts';

/** The system's maximum. */
const mostShown = 2 ** 31 - 1;
const sizes = { width: overlaySize, height: overlaySize };

/** @param unreviewed as reported by servers and the page, unvalidated */
export function showBadge(unreviewed: number): void {
  const count = Math.min(unreviewed, mostShown);
  if (process.platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  const overlay = count > 0 ? nativeImage.createFromBitmap(drawOverlay(count), sizes) : null;
  const description = count > 0 ? say(/*i18n*/ '{count} open', { count }) : '';
  for (const window of BrowserWindow.getAllWindows()) {
    window.setOverlayIcon(overlay, description);
  }
}

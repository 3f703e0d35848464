/** Saves position and size of the window between starts. */
import { readFileSync } from 'node:fs';
import type { BrowserWindow, Rectangle } from 'electron';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readJson } from '../../shared/read-json.ts';
import { writeFileAtomically } from '../atomic-file.ts';

const WindowState = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  maximized: Type.Boolean(),
});
type WindowState = Static<typeof WindowState>;

export const smallestWindow = { width: 900, height: 600 };
const firstWindow = { width: 1280, height: 800 };

/**
 * Returns the saved state if it fits a display, else the default.
 *
 * @param displays work areas of the displays
 */
export function loadWindowState(
  path: string,
  displays: readonly Rectangle[],
): Partial<WindowState> & typeof firstWindow {
  const kept = read(path);
  if (!kept) return firstWindow;
  if (!displays.some((display) => isReachable(kept, display))) {
    return { ...firstWindow, maximized: kept.maximized };
  }
  return kept;
}

/** Saves the window's position when it closes. */
export function rememberWindowState(window: BrowserWindow, path: string): void {
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      writeFileAtomically(path, JSON.stringify(state));
    } catch {
      // If saving fails, the position is lost, and the window still closes.
    }
  });
}

function read(path: string): WindowState | undefined {
  try {
    const state: unknown = readJson(readFileSync(path, 'utf8'));
    return Value.Check(WindowState, state) ? state : undefined;
  } catch {
    // The first start or an invalid file: no saved position.
    return undefined;
  }
}

/** Whether enough of the title bar is on a display to move the window. */
function isReachable(window: WindowState, display: Rectangle): boolean {
  const grip = 80;
  const visibleWidth =
    Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x);
  const fits = window.width <= display.width * 1.5 && window.height <= display.height * 1.5;
  return (
    fits && visibleWidth >= grip && window.y >= display.y && window.y + grip <= display.y + display.height
  );
}

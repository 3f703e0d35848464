import type { Bridge } from '../shared/bridge.ts';

declare global {
  interface Window {
    /** The desktop app's preload bridge; undefined in a browser. */
    gatehouse?: Bridge;
  }

  interface Navigator {
    /** In Chromium. */
    readonly connection?: { readonly saveData: boolean };
  }
}

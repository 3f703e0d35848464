import type { Bridge } from '../shared/bridge.ts';

declare global {
  interface Window {
    /** The shell's preload bridge; absent where the console runs in a browser. */
    gatehouse?: Bridge;
  }
}

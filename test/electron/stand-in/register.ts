/** Loaded before the main bundle: `electron` is the stand-in from here on. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron') return next(specifier, context);
    return { url: new URL('electron.ts', import.meta.url).href, shortCircuit: true };
  },
});

/** Preloaded before the main bundle: resolves `electron` to the stand-in. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron') return next(specifier, context);
    return { url: new URL('electron.ts', import.meta.url).href, shortCircuit: true };
  },
});

/**
 * After `npm ci`: builds the command line, which halves its startup time. Production installations have no build
 * tools and run the sources. JavaScript, because it runs on any Node version.
 */
import { existsSync } from 'node:fs';

if (existsSync(new URL('../../node_modules/vite', import.meta.url))) {
  const { buildCommandLine } = await import('./build.ts');
  buildCommandLine();
}

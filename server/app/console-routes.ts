/** Serves the console's files from `dist/renderer` at /console/. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentSecurityPolicy } from '../../shared/content-security-policy.ts';
import { anyone } from '../platform/http/policy.ts';
import type { App } from '../platform/http/routes.ts';

const built = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

const headers = {
  'Content-Security-Policy': contentSecurityPolicy('http: https:'),
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export const isConsoleBuilt = () => existsSync(built);

/** `npm ci` alone doesn't build the console. */
export const howToBuildConsole = 'run "npm run build" in the Gatehouse checkout, then restart the server';

export async function consoleRoutes(app: App): Promise<void> {
  if (!isConsoleBuilt()) {
    app.get('/console/*', { config: { policy: anyone } }, (_request, reply) =>
      reply.status(503).type('text/plain').send(`The console isn't built: ${howToBuildConsole}.\n`),
    );
    return;
  }
  // Imported here because it and its dependencies are a third of the files that a start loads.
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.headers(headers);
    });
    await scope.register(fastifyStatic, {
      root: built,
      // Two routes per file would take an eighth of the start.
      serve: false,
      preCompressed: true,
      cacheControl: false,
      // Names of assets contain a hash of their content.
      setHeaders: (reply, path) => {
        reply.header(
          'Cache-Control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
    const config = { policy: anyone };
    scope.get('/', { config }, (_request, reply) => reply.redirect('/console/'));
    scope.get('/console', { config }, (_request, reply) => reply.redirect('/console/'));
    const files = filesIn(built);
    scope.get<{ Params: { '*': string } }>('/console/*', { config }, ({ params: { '*': name } }, reply) =>
      // The page routes the addresses of screens.
      reply.sendFile(files.has(name) ? name : 'index.html'),
    );
  });
}

/** Returns the paths of all files below a folder, with forward slashes. */
const filesIn = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
  );

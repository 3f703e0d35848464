/** Lets pages of every origin call: what counts is the token, which no browser sends by itself. */
import type { App } from './routes.ts';

/** What a browser is told that asks before it calls. */
const preflight = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'X-Requested-With, Content-Type, Authorization, Date',
  'Access-Control-Max-Age': '86400',
};

/** Tells every caller so; whatever the path, OPTIONS is answered before anything else is asked. */
export function allowEveryOrigin(app: App): void {
  app.addHook('onRequest', ({ method }, reply, done) => {
    reply.header('access-control-allow-origin', '*');
    if (method !== 'OPTIONS') return done();
    return reply.status(204).headers(preflight).header('Content-Length', '0').send();
  });
  // So that there is something to be asked for.
  app.options('*', (_request, reply) => reply.send());
}

/** CORS for every origin: requests are authorized by their token, which browsers never send on their own. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './routes.ts';

const preflight = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'X-Requested-With, Content-Type, Authorization, Date',
  'Access-Control-Max-Age': '86400',
  'Content-Length': '0',
};

/** Sets the CORS header. Answers OPTIONS whatever the path; returns true if it did. */
export function answerPreflight({ method }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('access-control-allow-origin', '*');
  if (method !== 'OPTIONS') return false;
  reply.status(204).headers(preflight).send();
  return true;
}

/** Call before adding hooks that refuse requests: a page can only read a refusal that has the header. */
export function allowEveryOrigin(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!answerPreflight(request, reply)) done();
  });
}

import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './openapi.ts';

/** The page runs scripts of this server and asks nobody else for anything. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Swagger UI for a document, under a prefix. An app of its own: it is made when somebody asks for the page,
 * and every start without it is shorter.
 */
export async function createReferencePage(
  document: OpenApiDocument,
  prefix: string,
): Promise<FastifyInstance> {
  const app = Fastify();
  const specification = { document } as unknown as StaticDocumentSpec;
  await app.register(swagger, { mode: 'static', specification });
  await app.register(swaggerUi, {
    routePrefix: prefix,
    staticCSP: contentSecurityPolicy,
    theme: { title: `${document.info.title} ${document.info.version}: reference` },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      filter: true,
      // It is to be read: nobody deletes a room on the page that explains how.
      supportedSubmitMethods: [],
    },
  });
  await app.ready();
  return app;
}

/** Swagger UI for the OpenAPI document. */
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './openapi.ts';

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

/** Returns an app that serves the page under a prefix. A separate app, so that it can be created after the start. */
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
      // No "Try it out": the page is for reading.
      supportedSubmitMethods: [],
    },
  });
  await app.ready();
  return app;
}

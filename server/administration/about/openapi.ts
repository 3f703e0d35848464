/** Generates the OpenAPI 3.1 document from the schemas that validate requests and serialize replies. */
import Fastify, { type RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Dialect } from '../../../shared/dialect.ts';
import { chunks, yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { serverVersion } from '../../platform/core/version.ts';
import type { PathAliases } from '../../platform/http/path-aliases.ts';
import type { App } from '../../platform/http/routes.ts';

export type Operation = {
  tags: string[];
  parameters: object[];
  requestBody?: object;
  responses: Record<string, object>;
  security: object[];
};

export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

/** Number of routes to describe before yielding to other requests. */
const chunkSize = 20;

/** Returns a list that collects the routes added from now on. */
export function collectRoutes(app: App): readonly RouteOptions[] {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.schema && !['HEAD', 'OPTIONS'].includes(String(route.method))) routes.push(route);
  });
  return routes;
}

/** Returns routes under all their paths in a dialect, and those outside of the dialects. */
export const inDialect = (
  routes: readonly RouteOptions[],
  { pathsIn }: PathAliases,
  dialect: Dialect,
): readonly RouteOptions[] =>
  routes.flatMap((route) =>
    route.url.startsWith('/.well-known/')
      ? [route]
      : pathsIn(route.url, dialect).map((url) => ({ ...route, url })),
  );

/** Returns the document of these routes. Slow, so keep the result. */
export async function createOpenApiDocument(routes: readonly RouteOptions[]): Promise<OpenApiDocument> {
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'Homeserver', version: serverVersion },
    paths: {},
    components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } } },
  };
  for (const part of chunks(routes, chunkSize)) {
    await yieldToEventLoop();
    for (const [path, operations] of Object.entries(await pathsOf(part, document))) {
      document.paths[path] = { ...document.paths[path], ...operations };
    }
  }
  return document;
}

/** Mounts the routes again, on an app that only generates the document. */
async function pathsOf(
  routes: readonly RouteOptions[],
  { openapi, info, components }: OpenApiDocument,
): Promise<OpenApiDocument['paths']> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => '');
  await app.register(swagger, { openapi: { openapi, info, components } });
  for (const { method, url, schema, config } of routes) {
    app.route({ method, url, schema: describedSchema(url, schema as RouteSchema, config), handler() {} });
  }
  await app.ready();
  const paths = app.swagger().paths as OpenApiDocument['paths'];
  for (const { method, url, schema } of routes) {
    const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[String(method).toLowerCase()];
    if (!operation) continue;
    operation.parameters ??= [];
    const { body } = schema as RouteSchema;
    if (body && Type.IsOptional(body)) operation.requestBody = { ...operation.requestBody, required: false };
  }
  return paths;
}

type RouteSchema = {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  response?: Record<string, TSchema>;
};

function describedSchema(url: string, schema: RouteSchema, config: RouteOptions['config']) {
  const { params, querystring, response = {} } = schema;
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return {
    ...schema,
    // Several paths may share a schema: includes only the parameters of this one.
    ...(params && { params: partOf(params, (name) => inPath.includes(name)) }),
    ...(querystring && { querystring: withDefaultsOptional(querystring) }),
    response: Object.fromEntries(
      Object.entries(response).map(([status, reply]) => [
        status,
        { ...reply, 'x-response-description': status === '200' ? 'Success' : 'Refusal' },
      ]),
    ),
    tags: [tagOf(url)],
    security: config?.policy.access === 'anyone' ? [] : [{ accessToken: [] }],
  };
}

function partOf(schema: TSchema, isIn: (name: string) => boolean) {
  if (!Type.IsObject(schema)) return schema;
  const properties = Object.entries(schema.properties).filter(([name]) => isIn(name));
  return Type.Object(Object.fromEntries(properties));
}

/** Makes parameters with a default optional. */
function withDefaultsOptional(schema: TSchema) {
  if (!Type.IsObject(schema)) return schema;
  const required = (schema.required ?? []).filter(
    (name) => !('default' in (schema.properties[name] as TSchema)),
  );
  return { type: 'object', properties: schema.properties, required };
}

/** Returns the first segment of the path after the version. */
function tagOf(url: string): string {
  const [, , ...parts] = url.split('/');
  return parts.find((part) => !/^(admin|client|media|federation|key|[rv]\d+)$/.test(part)) ?? 'other';
}

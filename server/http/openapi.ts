/**
 * The interface as an OpenAPI 3.1 document, made from the schemas that check requests and write replies,
 * so that it can't say anything else than what the server does.
 */
import type { RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Dialect } from '../../shared/dialect.ts';
import { serverVersion } from '../core/version.ts';
import type { App } from './routes.ts';

type RouteSchema = {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  response?: Record<string, TSchema>;
};

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

/** Takes note of every route that the app gets from now on; gives what makes a dialect's document. */
export function describeRoutes(app: App): (dialect: Dialect) => OpenApiDocument {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.schema && !['HEAD', 'OPTIONS'].includes(String(route.method))) routes.push(route);
  });
  return ({ administration, chat }) => ({
    openapi: '3.1.0',
    info: { title: 'Homeserver', version: serverVersion },
    paths: pathsOf(
      routes.filter(({ url }) => url.startsWith(`${administration}/`) || url.startsWith(`${chat}/`)),
    ),
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
    },
  });
}

function pathsOf(routes: RouteOptions[]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    for (const method of [route.method].flat()) operations[method.toLowerCase()] = operationOf(route);
    paths[path] = operations;
  }
  return paths;
}

function operationOf(route: RouteOptions): Operation {
  const { params, querystring, body, response = {} } = route.schema as RouteSchema;
  const names = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return {
    tags: [tagOf(route.url)],
    parameters: [
      // A schema may serve several paths, so only what this path holds counts.
      ...parametersIn('path', params).filter(({ name }) => names.includes(name)),
      ...parametersIn('query', querystring),
    ],
    ...(body && { requestBody: { required: !Type.IsOptional(body), content: json(body) } }),
    responses: Object.fromEntries(
      Object.entries(response).map(([status, schema]) => [
        status.toUpperCase(),
        { description: status === '200' ? 'Success' : 'Refusal', content: json(schema) },
      ]),
    ),
    security: route.config?.policy.access === 'anyone' ? [] : [{ accessToken: [] }],
  };
}

const json = (schema: TSchema) => ({ 'application/json': { schema } });

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined) {
  if (!schema || !Type.IsObject(schema)) return [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || !(Type.IsOptional(property) || 'default' in property),
    schema: property,
  }));
}

/** What an endpoint is about: the first part of its path after the version. */
function tagOf(url: string): string {
  const [, , ...parts] = url.split('/');
  return parts.find((part) => !/^(admin|client|media|federation|key|[rv]\d+)$/.test(part)) ?? 'other';
}

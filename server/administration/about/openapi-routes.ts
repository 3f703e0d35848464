/** The OpenAPI document, a page that lists it without scripts, and Swagger UI. */
import type { RouteOptions } from 'fastify';
import { type Dialect, type DialectName, dialects } from '../../../shared/dialect.ts';
import { anyone } from '../../platform/http/policy.ts';
import type { App } from '../../platform/http/routes.ts';
import { createOpenApiDocument, type OpenApiDocument } from './openapi.ts';

const open = { config: { policy: anyone } };

/** @param routesIn returns all routes of the app under their paths in a dialect */
export function openApiRoutes(
  app: App,
  dialectNames: DialectName[],
  routesIn: (dialect: Dialect) => readonly RouteOptions[],
): void {
  for (const name of dialectNames) {
    addDialect(app, dialects[name], () => createOpenApiDocument(routesIn(dialects[name])));
  }
}

function addDialect(app: App, dialect: Dialect, create: () => Promise<OpenApiDocument>): void {
  const documentPath = `${dialect.administration}/openapi.json`;
  const pagePath = `${dialect.administration}/openapi`;
  const referencePath = `${pagePath}/reference`;
  const document = once(create);
  const text = once(async () => JSON.stringify(await document()));
  const listing = once(async () => page(await document(), documentPath, `${referencePath}/`));
  const reference = once(async () => {
    const { createReferencePage } = await import('./reference-page.ts');
    return createReferencePage(await document(), referencePath);
  });

  app.get(documentPath, open, async (_request, reply) => reply.type('application/json').send(await text()));
  app.get(pagePath, open, async (_request, reply) =>
    reply
      .headers({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
      })
      .send(await listing()),
  );
  app.get(referencePath, open, (_request, reply) => reply.redirect(`${referencePath}/`));
  app.get(`${referencePath}/*`, open, async (request, reply) => {
    const { routing } = await reference();
    reply.hijack();
    routing(request.raw, reply.raw);
  });
}

/** Creates a value at the first call. */
function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** Renders the document as one page without scripts, to search, fold and print. */
function page({ info, paths }: OpenApiDocument, documentPath: string, referencePath: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))].sort();
  const sections = tags.map((tag) => {
    const entries = operations
      .filter(({ operation }) => operation.tags.includes(tag))
      .map(
        ({ path, method, operation }) => `<details>
<summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>${operation.security.length === 0 ? ' <i>no token</i>' : ''}</summary>
<pre>${escapeHtml(JSON.stringify(operation, null, 2))}</pre>
</details>`,
      );
    return `<h2>${escapeHtml(tag)}</h2>\n${entries.join('\n')}`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} ${escapeHtml(info.version)}: endpoints</title>
<style>${style}</style>
<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>
<p>${operations.length} endpoints. All fields: <a href="${referencePath}">API reference</a>.
OpenAPI document: <a href="${documentPath}">${documentPath}</a></p>
${sections.join('\n')}
</html>`;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin: 1.5rem 0 .25rem; font-size: 1.05rem }
summary { cursor: pointer; padding: .15rem 0 }
summary b { display: inline-block; min-width: 4.2rem; font-size: .8rem }
summary i { opacity: .7; font-size: .85rem }
pre { overflow: auto; padding: .75rem; font-size: .8rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 6px }`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

/** The interface's description for programs, and a page of it for people. */
import { type Dialect, type DialectName, dialects } from '../../shared/dialect.ts';
import type { OpenApiDocument } from '../http/openapi.ts';
import { anyone } from '../http/policy.ts';
import type { App } from '../http/routes.ts';

export function openApiRoutes(
  app: App,
  dialectNames: DialectName[],
  describe: (dialect: Dialect) => OpenApiDocument,
): void {
  for (const name of dialectNames) {
    const dialect = dialects[name];
    app.get(`${dialect.administration}/openapi.json`, { config: { policy: anyone } }, (_request, reply) =>
      reply.type('application/json').serializer(JSON.stringify).send(describe(dialect)),
    );
    app.get(`${dialect.administration}/openapi`, { config: { policy: anyone } }, (_request, reply) =>
      reply
        .headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
          'Referrer-Policy': 'no-referrer',
        })
        .send(page(describe(dialect), `${dialect.administration}/openapi.json`)),
    );
  }
}

/** Everything on one page that needs no script: it can be searched, folded and printed. */
function page({ info, paths }: OpenApiDocument, documentPath: string): string {
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
<p>${operations.length} endpoints. For programs: <a href="${documentPath}">${documentPath}</a></p>
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

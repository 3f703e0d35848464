/**
 * Playwright's page routes without disabling the browser cache. Playwright's own routing disables it, so every load
 * requests every console file from this process. A page then takes three times as long.
 */
import type { CDPSession, Page, Request, Route } from 'playwright';

type Pattern = string | RegExp;
type Handle = (route: Route, request: Request) => unknown;
type Added = { pattern: Pattern; matches: RegExp; handle: Handle };
type Answer = NonNullable<Parameters<Route['fulfill']>[0]>;

/** Requests to servers, without the console's files, which may be cached. */
const askedOfServers = [{ urlPattern: '*/_*' }];
const isOfFiles = (pattern: unknown) => /assets|console|\.js|^\*\*\/\*$/.test(String(pattern));

const reasons: Record<string, 'Failed' | 'ConnectionRefused' | 'ConnectionReset'> = {
  failed: 'Failed',
  connectionrefused: 'ConnectionRefused',
  connectionreset: 'ConnectionReset',
};

/** Replaces the page's routing, except for routes that match files. */
export function routeBesideCache(page: Page, devtools: CDPSession): void {
  const own = {
    route: page.route.bind(page),
    unroute: page.unroute.bind(page),
    unrouteAll: page.unrouteAll.bind(page),
  };
  let added: Added[] = [];

  async function change(next: Added[]): Promise<void> {
    const [had, has] = [added.length > 0, next.length > 0];
    added = next;
    if (has && !had) await devtools.send('Fetch.enable', { patterns: askedOfServers });
    if (had && !has) await devtools.send('Fetch.disable');
  }

  devtools.on('Fetch.requestPaused', async ({ requestId, redirectedRequestId, request }) => {
    const isMeant = ({ matches }: Added) => redirectedRequestId === undefined && matches.test(request.url);
    const newestFirst = added.filter(isMeant).reverse();
    const sent = Buffer.concat(
      (request.postDataEntries ?? []).map(({ bytes = '' }) => Buffer.from(bytes, 'base64')),
    );
    const asked = {
      url: () => request.url,
      method: () => request.method,
      headers: () => request.headers,
      postData: () => (sent.length > 0 ? String(sent) : null),
      postDataJSON: () => JSON.parse(String(sent)),
    } as Request;

    // The page may have aborted the request.
    const goOn = () => devtools.send('Fetch.continueRequest', { requestId }).catch(() => {});
    const route = {
      request: () => asked,
      continue: goOn,
      async fallback() {
        const next = newestFirst.shift();
        if (!next) return goOn();
        try {
          await next.handle(route, asked);
        } catch (error) {
          if (added.includes(next)) throw error;
        }
      },
      async abort(code = 'failed') {
        const errorReason = reasons[code] ?? 'Failed';
        await devtools.send('Fetch.failRequest', { requestId, errorReason }).catch(() => {});
      },
      fetch: () =>
        page.request.fetch(request.url, {
          method: request.method,
          headers: request.headers,
          maxRedirects: 0,
          ...(sent.length > 0 && { data: sent }),
        }),
      async fulfill(answer: Answer) {
        const { status, headers, body } = await filled(answer);
        await devtools
          .send('Fetch.fulfillRequest', {
            requestId,
            responseCode: status,
            responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
            body: body.toString('base64'),
          })
          .catch(() => {});
      },
    } as Route;
    await route.fallback();
  });

  page.route = async (pattern, handle, options) => {
    if (isOfFiles(pattern)) return own.route(pattern, handle, options);
    const route: Added = { pattern: pattern as Pattern, matches: asRegExp(pattern as Pattern), handle };
    await change([...added, route]);
    const remove = () => change(added.filter((each) => each !== route));
    return { dispose: remove, [Symbol.asyncDispose]: remove };
  };

  page.unroute = async (pattern, handle) => {
    if (isOfFiles(pattern)) return own.unroute(pattern, handle);
    const isMeant = (each: Added) =>
      String(each.pattern) === String(pattern) && (handle === undefined || each.handle === handle);
    await change(added.filter((each) => !isMeant(each)));
  };

  page.unrouteAll = async (options) => {
    await change([]);
    await own.unrouteAll(options);
  };
}

/** Converts a glob: `**` matches anything, `*` anything but a slash. */
function asRegExp(pattern: Pattern): RegExp {
  if (pattern instanceof RegExp) return pattern;
  const escaped = pattern.replace(/[.?+^$()[\]{}|\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`);
}

async function filled({ response, json, ...answer }: Answer) {
  const status = answer.status ?? response?.status() ?? 200;
  const contentType = answer.contentType ?? (json === undefined ? undefined : 'application/json');
  const headers: Record<string, string> = { ...response?.headers(), ...answer.headers };
  if (contentType !== undefined) headers['content-type'] = contentType;
  const given = json === undefined ? answer.body : JSON.stringify(json);
  const body = given === undefined ? ((await response?.body()) ?? Buffer.alloc(0)) : Buffer.from(given);
  return { status, headers, body };
}

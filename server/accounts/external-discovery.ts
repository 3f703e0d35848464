import type { JsonObject } from '../../shared/api/common.ts';
import { isObject } from '../../shared/is-object.ts';
import { readJson } from '../../shared/read-json.ts';
import type { ExternalService } from './introspection.ts';

/** In milliseconds. */
const timeout = 5_000;

/** Returns the authentication service's OpenID Connect discovery document, or undefined if it gives none. */
export async function discoveryDocument({ endpoint }: ExternalService): Promise<JsonObject | undefined> {
  try {
    const reply = await fetch(`${endpoint}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const document: unknown = reply.ok ? readJson(await reply.text()) : undefined;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

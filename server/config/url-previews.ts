/** Previews of the pages that people link to: off unless they are wanted, as the server calls whatever is linked to. */
import { type Static, Type } from 'typebox';
import { type PatternError, wholePattern } from '../core/patterns.ts';
import { ConfigurationError } from './configuration-error.ts';
import { networks } from './outgoing.ts';
import { section } from './section.ts';
import { Size, wholeSize } from './size.ts';

const pattern = Type.Optional(Type.String());

/** Parts of an address; in each, `*` stands for any text, and what begins with `^` is a regular expression. */
const UrlPattern = Type.Object(
  {
    ...{ scheme: pattern, netloc: pattern, hostname: pattern, port: pattern, username: pattern },
    ...{ password: pattern, path: pattern, query: pattern, fragment: pattern },
  },
  { additionalProperties: false },
);
export type UrlPattern = Static<typeof UrlPattern>;

export const urlPreviews = section(
  {
    url_preview_enabled: Type.Boolean({
      default: false,
      description: 'whether the server looks at the pages that people link to, for their previews',
    }),
    url_preview_ip_range_blacklist: Type.Array(Type.String(), {
      default: [],
      description: 'networks that it never calls for that, beside all that are not public',
    }),
    url_preview_ip_range_whitelist: Type.Array(Type.String(), {
      default: [],
      description: 'networks that it calls all the same, such as `192.168.1.0/24`',
    }),
    url_preview_url_blacklist: Type.Array(UrlPattern, {
      default: [],
      description: 'addresses that get no preview: those of which every part that is named matches',
    }),
    max_spider_size: Size({
      default: '10M',
      description: 'the largest page or picture that is read, in bytes',
    }),
    url_preview_accept_language: Type.Array(Type.String({ pattern: '^[A-Za-z0-9*;=., -]+$' }), {
      default: ['en'],
      description: 'the languages that pages are asked for in, the preferred one first',
    }),
  },
  async (settings) => {
    // Read also where there are none, so that what can't work is said before they are wanted.
    const urlPreviews = {
      callable: {
        allowed: networks('url_preview_ip_range_whitelist', settings.url_preview_ip_range_whitelist),
        blocked: networks('url_preview_ip_range_blacklist', settings.url_preview_ip_range_blacklist),
      },
      blockedUrls: await withPatterns(settings.url_preview_url_blacklist),
      /** In bytes. */
      maximumSize: wholeSize(settings.max_spider_size),
      acceptLanguage: settings.url_preview_accept_language.join(', '),
    };
    return {
      /** Undefined where there are none. */
      urlPreviews: settings.url_preview_enabled ? urlPreviews : undefined,
    };
  },
);

/** @throws ConfigurationError for a regular expression that is none */
async function withPatterns(patterns: UrlPattern[]): Promise<UrlPattern[]> {
  for (const [index, pattern] of patterns.entries()) {
    for (const [name, expression] of Object.entries(pattern)) {
      if (!expression.startsWith('^')) continue;
      await wholePattern(expression).catch((error: PatternError) => {
        throw new ConfigurationError(
          `url_preview_url_blacklist[${index}].${name}`,
          `RE2 can't match it (${error.message})`,
          'correct it, and write it without look-around and back references',
        );
      });
    }
  }
  return patterns;
}

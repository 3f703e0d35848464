/** URL previews. Off by default, because the server then requests any linked page. */
import { type Static, Type } from 'typebox';
import { type PatternError, wholePattern } from '../core/patterns.ts';
import { ConfigurationError } from './configuration-error.ts';
import { networks } from './outgoing.ts';
import { section } from './section.ts';
import { Size, wholeSize } from './units.ts';

const pattern = Type.Optional(Type.String());

/** Parts of a URL, each a glob or, if it begins with `^`, a regular expression. */
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
      description: 'Fetches linked pages for URL previews',
    }),
    url_preview_ip_range_blacklist: Type.Array(Type.String(), {
      default: [],
      description: 'Networks never fetched for previews, besides all private ones',
    }),
    url_preview_ip_range_whitelist: Type.Array(Type.String(), {
      default: [],
      description: 'Exceptions to the blocked networks, such as `192.168.1.0/24`',
    }),
    url_preview_url_blacklist: Type.Array(UrlPattern, {
      default: [],
      description: 'URLs without previews; a rule applies if all of its parts match',
    }),
    max_spider_size: Size({
      default: '10M',
      description: 'Largest page or image to fetch, in bytes',
    }),
    url_preview_accept_language: Type.Array(Type.String({ pattern: '^[A-Za-z0-9*;=., -]+$' }), {
      default: ['en'],
      description: '`Accept-Language` for previews, preferred language first',
    }),
  },
  async (settings) => {
    // Validated even if disabled.
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
      /** Undefined if disabled. */
      urlPreviews: settings.url_preview_enabled ? urlPreviews : undefined,
    };
  },
);

/** @throws ConfigurationError for an invalid regular expression */
async function withPatterns(patterns: UrlPattern[]): Promise<UrlPattern[]> {
  for (const [index, pattern] of patterns.entries()) {
    for (const [name, expression] of Object.entries(pattern)) {
      if (!expression.startsWith('^')) continue;
      await wholePattern(expression).catch((error: PatternError) => {
        throw new ConfigurationError(
          `url_preview_url_blacklist[${index}].${name}`,
          `invalid regular expression (RE2: ${error.message})`,
          'correct the expression; look-around and back references are not supported',
        );
      });
    }
  }
  return patterns;
}

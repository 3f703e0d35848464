/** What clients find out by this server's name. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const wellKnown = section(
  {
    public_baseurl: Type.Optional(
      Type.String({
        pattern: '^https?://',
        title: 'an HTTP or HTTPS URL',
        examples: ['https://matrix.example.org/'],
        description: 'URL that clients use, published at `/.well-known/matrix/client`',
      }),
    ),
    extra_well_known_client_content: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      default: {},
      description: 'Additional content of `/.well-known/matrix/client`',
    }),
  },
  ({ public_baseurl, extra_well_known_client_content }) => ({
    /** The reply; undefined where there is none. */
    wellKnownClient: public_baseurl && {
      ...extra_well_known_client_content,
      'm.homeserver': { base_url: public_baseurl },
    },
  }),
);

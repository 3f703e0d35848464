/** What clients find out by this server's name. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const wellKnown = section(
  {
    public_baseurl: Type.Optional(
      Type.String({
        pattern: '^https?://',
        title: 'an HTTP or HTTPS address',
        examples: ['https://matrix.example.org/'],
        description: 'where clients reach this server; told at `/.well-known/matrix/client`',
      }),
    ),
    extra_well_known_client_content: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      default: {},
      description: 'what else that says',
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

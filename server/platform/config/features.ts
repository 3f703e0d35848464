/** The server's name, paths, features and limits. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { section } from './section.ts';
import { Size, wholeSize } from './units.ts';

export const identity = section(
  {
    server_name: Type.String({
      pattern: '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
      maxLength: 230,
      default: 'localhost',
      title: 'a host name, optionally with a port',
      examples: ['chat.example.org'],
      description: 'Domain part of user and room IDs',
    }),
    signing_key_path: Type.String({
      default: 'signing.key',
      description: 'Key that signs events, relative to the data directory; generated if missing',
    }),
  },
  (settings, { dataDir }) => ({
    /** The part of user and room IDs after the colon. */
    serverName: settings.server_name,
    signingKeyPath: resolve(dataDir, settings.signing_key_path),
  }),
);

/** Profile changes by users; administrators may change everything. */

export const profiles = section(
  {
    enable_set_displayname: Type.Boolean({
      default: true,
      description: 'Lets users change their display name',
    }),
    enable_set_avatar_url: Type.Boolean({
      default: true,
      description: 'Lets users change their avatar',
    }),
  },
  (settings) => ({
    profiles: {
      mayChangeDisplayName: settings.enable_set_displayname,
      mayChangeAvatarUrl: settings.enable_set_avatar_url,
    },
  }),
);

export const presence = section(
  {
    presence: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Shares presence between users',
        }),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  (settings) => ({ presence: { enabled: settings.presence.enabled } }),
);

export const media = section(
  {
    media_store_path: Type.String({
      default: 'media',
      description: 'Directory for media, relative to the data directory',
    }),
    max_upload_size: Size({ default: '50M', description: 'Maximum upload size in bytes' }),
    max_image_pixels: Size({ default: '32M', description: 'Largest image that gets a thumbnail, in pixels' }),
    enable_authenticated_media: Type.Boolean({
      default: true,
      description: 'Requires a token to download media uploaded from now on',
    }),
  },
  (settings, { dataDir }) => ({
    mediaStorePath: resolve(dataDir, settings.media_store_path),
    /** In bytes. */
    maxUploadSize: wholeSize(settings.max_upload_size),
    /** Larger images get no thumbnails, in pixels. */
    maxImagePixels: wholeSize(settings.max_image_pixels),
    /** Whether downloads of new uploads need an access token. */
    enableAuthenticatedMedia: settings.enable_authenticated_media,
  }),
);

/** Discovery by server name. */

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
    /** The reply; undefined for none. */
    wellKnownClient: public_baseurl && {
      ...extra_well_known_client_content,
      'm.homeserver': { base_url: public_baseurl },
    },
  }),
);

/** Access to the developer tools. */

export const workbench = section(
  {
    workbench: Type.Enum(['this_machine', 'anywhere', 'nowhere'], {
      default: 'this_machine',
      description:
        "Access for server admins to the developer tools at `/_gatehouse/v1` (requests, log, configuration, backups, users): from `this_machine` only (a loopback address, no proxy, no other host's page), from `anywhere`, or `nowhere`",
    }),
  },
  (settings) => ({ workbench: settings.workbench }),
);

/** API paths to serve. */

export const dialects = section(
  {
    api_dialects: Type.Array(Type.Enum(['vendor', 'matrix']), {
      minItems: 1,
      default: ['vendor', 'matrix'],
      title: 'a list containing vendor, matrix or both',
      description:
        'API paths to serve: `matrix` is `/_synapse` and `/_matrix`, `vendor` is `/_service` and `/_chat`',
    }),
  },
  (settings) => ({ apiDialects: settings.api_dialects }),
);

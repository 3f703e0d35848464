/** What the server is called, and the key that it signs with. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { section } from './section.ts';

export const identity = section(
  {
    server_name: Type.String({
      pattern: '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
      maxLength: 230,
      default: 'localhost',
      title: 'a host name, with a port where one belongs to it',
      examples: ['chat.example.org'],
      description: 'the part of every identifier after the colon',
    }),
    signing_key_path: Type.String({
      default: 'signing.key',
      description: 'the key that signs events, made where it is missing; relative to the data directory',
    }),
  },
  (settings, { dataDir }) => ({
    /** The part of every user and room identifier after the colon. */
    serverName: settings.server_name,
    signingKeyPath: resolve(dataDir, settings.signing_key_path),
  }),
);

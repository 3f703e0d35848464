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
    /** The part of every user and room identifier after the colon. */
    serverName: settings.server_name,
    signingKeyPath: resolve(dataDir, settings.signing_key_path),
  }),
);

/** Which spellings of the paths are served. */
import { Type } from 'typebox';
import { section } from './section.ts';

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

/** Who may use what testers and developers of clients look into the server with. */
import { Type } from 'typebox';
import { section } from './section.ts';

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

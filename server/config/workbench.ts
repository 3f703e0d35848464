/** Who may use what testers and developers of clients look into the server with. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const workbench = section(
  {
    workbench: Type.Enum(['this_machine', 'anywhere', 'nowhere'], {
      default: 'this_machine',
      description:
        "Who can use the developer tools at `/_gatehouse/v1` (requests, log, configuration, backups, users): server admins on the server's own computer (over a loopback address, without a proxy, from no other host's page), from `anywhere`, or `nowhere`",
    }),
  },
  (settings) => ({ workbench: settings.workbench }),
);

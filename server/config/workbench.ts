/** Who may use what testers and developers of clients look into the server with. */
import { Type } from 'typebox';
import { section } from './section.ts';

export const workbench = section(
  {
    workbench: Type.Enum(['this_machine', 'anywhere', 'nowhere'], {
      default: 'this_machine',
      description:
        'from where administrators may use the workbench under `/_gatehouse/v1`, which shows requests, the log and this file, and makes backups and users: from the machine that the server runs on (by `localhost` or a loopback address, through no proxy and from no page of another machine), from anywhere, or not at all (`nowhere`)',
    }),
  },
  (settings) => ({ workbench: settings.workbench }),
);

/** Who starts the app while it is ending wants to have it: it opens again once it has ended. */
import { app } from 'electron';
import { linkAmong } from '../shared/link.ts';
import { program } from './program.ts';

/**
 * Called when the app begins to end.
 *
 * @returns what is called when it has: lets it be started again, where somebody has asked for that
 */
export function noteWhoOpens(): () => void {
  let wanted: string[] | undefined;
  const own = process.argv.slice(1);
  app.on('second-instance', (_event, argv) => {
    // What a link leads to is not forgotten over who wants to have the app, whatever it shows.
    if (linkAmong(argv) === undefined && wanted && linkAmong(wanted) !== undefined) return;
    wanted = argv.slice(1);
  });
  app.on('open-url', (_event, link) => {
    wanted = [...own, link];
  });
  app.on('activate', () => {
    wanted ??= own;
  });
  return () => {
    if (wanted) app.relaunch({ args: wanted, execPath: program() });
  };
}

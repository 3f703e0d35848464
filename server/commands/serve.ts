import type { Config } from '../config/config.ts';
import { type ConfigSource, loadConfig } from '../config/load.ts';
import { gatherLines } from '../core/gathered-lines.ts';
import { warnOfWidePermissions } from '../database/files.ts';
import { createHomeserver } from '../homeserver.ts';

/** Runs the homeserver until it is told to stop. Design: "The command line". */
export async function serve(source: ConfigSource): Promise<void> {
  const config = await loadConfig(source);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const homeserver = await createHomeserver(config, { log: say, whenClaimIsLost: giveUp });
  for (const warning of warnOfWidePermissions(dataPaths(config))) say(`warning: ${warning}`);
  const started = homeserver.start();
  const stop = () =>
    started.then(
      () => homeserver.stop(),
      () => {},
    );
  // Before anyone is told that it runs: whoever is may stop it at once.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await started;
  process.stdout.write(homeserver.urls.map((url) => `listening on ${url}\n`).join(''));
}

/** Nothing can be kept any more, and nothing that is under way can end well: another server answers from now on. */
function giveUp(reason: string): void {
  say(`gatehouse: ${reason}: this server ends`);
  process.exit(1);
}

const dataPaths = ({ dataDir, database, signingKeyPath }: Config) => [
  dataDir,
  signingKeyPath,
  ...(database.name === 'sqlite3' ? [database.file] : []),
];

/** Standard output says only where the server listens; everything else goes where logs go. */
const say = gatherLines((lines) => void process.stderr.write(lines));

import { type ConfigSource, loadConfig } from '../config/load.ts';
import { createHomeserver } from '../homeserver.ts';

/** Runs the homeserver until it is told to stop. Design: "The command line". */
export async function serve(source: ConfigSource): Promise<void> {
  const homeserver = await createHomeserver(await loadConfig(source));
  await homeserver.start();
  process.stdout.write(`listening on ${homeserver.url}\n`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await homeserver.stop();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

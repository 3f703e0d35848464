import type { ConfigSource } from '../config/load.ts';
import { claimData } from '../database/claim.ts';
import { makeStore } from '../media/media-files.ts';
import { addSampleData, samplePassword } from '../sample-data/add-sample-data.ts';
import { people } from '../sample-data/people.ts';
import { withServices } from './with-services.ts';

/** Adds sample data, beside a running server or without one. */
export const sampleData = (source: ConfigSource, reports: number): Promise<void> =>
  withServices(source, async (services) => {
    // A server that runs on this data runs its tasks, too; without one this process does.
    const claim = await claimData(services.config);
    try {
      await makeStore(services.config.mediaStorePath);
      if (claim) services.tasks.start();
      const summary = await addSampleData(services, { reports });
      process.stdout.write(
        `Added ${summary.users} users, ${summary.rooms} rooms, ${summary.messages} messages, ` +
          `${summary.reports} reports and ${summary.tasks} tasks\n` +
          `Sign in as ${people[0]?.localpart} or any other sample user; the password is '${samplePassword}'\n`,
      );
    } finally {
      await services.tasks.stop();
      await claim?.release();
    }
  });

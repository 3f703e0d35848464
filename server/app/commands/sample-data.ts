import { addSampleData, samplePassword } from '../../administration/sample-data/add-sample-data.ts';
import { people } from '../../administration/sample-data/content.ts';
import { createStore } from '../../identity/media/media-files.ts';
import { claimData } from '../../platform/cluster/claim.ts';
import type { ConfigSource } from '../../platform/config/load.ts';
import { withServices } from './with-services.ts';

/** Adds sample data, with or without a running server. */
export const sampleData = (source: ConfigSource, reports: number): Promise<void> =>
  withServices(source, async (services) => {
    // Without a running server, this process runs the tasks.
    const claim = await claimData(services.config);
    try {
      await createStore(services.config.mediaStorePath);
      if (claim) services.tasks.start(claim);
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

/** Program that replaces a server's data, as its host would: `exchange-once.ts DATA_DIR restore ARCHIVE`. */
import { createLocalHost } from '../../../server/administration/host/local-host.ts';
import { createTemporaryServers } from '../../../server/administration/host/temporary-servers.ts';

const [dataDir = '', what, archive = ''] = process.argv.slice(2);
const host = createLocalHost({
  dataDir,
  temporaryServers: createTemporaryServers(() => Promise.reject(new Error('there is none'))),
  check: async () => [],
  // Stand-in for the server: only the data matters here.
  runner: {
    start: async () => ({ url: 'http://127.0.0.1:1' }),
    stop: async () => {},
    signInToken: async () => 'none',
  },
});
if (what === 'restore') await host.restore(archive);
else if (what === 'reset') await host.reset();
else if (what === 'apply') await host.apply(archive);
else await host.takeBack();

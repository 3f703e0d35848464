/** The process that runs the built-in homeserver, controlled by the main process. */
import { setTimeout as passed } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { settleData } from '../../server/administration/backup/pending-change.ts';
import { createHomeserver, type Homeserver } from '../../server/app/homeserver.ts';
import { issueSignInToken } from '../../server/identity/accounts/local-administrator.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { warningsToStandardError } from '../../server/platform/core/log.ts';
import { ignoreBrokenPipe } from '../../server/platform/core/process.ts';
import { listensHereOnly } from '../../server/platform/http/this-machine.ts';
import { countActiveTasks } from '../../server/platform/tasks/scheduled-task-store.ts';
import type { Answers, FromHomeserver, Question, ToHomeserver } from './homeserver-messages.ts';
import { localConfig, ownAddress, portNumber } from './listeners.ts';
import { addSampleReports, fillFirstStart } from './sample-data.ts';

const signInLifetimeMs = 60_000;
const answersWithinMs = 1_000;

// Signals of a terminal or the end of a desktop session also reach the main process, which stops this one.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => {});

ignoreBrokenPipe();

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: 'data' },
    port: { type: 'string' },
    'sample-data': { type: 'boolean', default: false },
    'settings-from': { type: 'string' },
  },
});

try {
  await settleData(values['data-dir'], (line) => void process.stderr.write(`${line}\n`));
  const config = await localConfig(
    values['data-dir'],
    values.port === undefined ? undefined : portNumber(values.port),
    values['settings-from'],
  );
  const homeserver = await start(config);
  if (values['sample-data']) await fillFirstStart(homeserver, (line) => process.stdout.write(`${line}\n`));
  // As in `bin/gatehouse.js`. As a flag of the process, it would make V8 compile Node's modules without their cache.
  setFlagsFromString('--heap-growing-percent=30');
  process.parentPort.on('message', ({ data }) => void receive(homeserver, data));
  const { url, urls } = homeserver;
  const isOpen = !listensHereOnly([...config.listeners, ...config.metricsListeners]);
  post({ type: 'listening', url: ownAddress(urls) ?? url, addresses: [...urls], isOpen });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  endSaying({ type: 'start-failed', message: error.message });
}

async function start(config: Config): Promise<Homeserver> {
  const homeserver = await createHomeserver(config, {
    isBench: true,
    log: warningsToStandardError,
    whenClaimIsLost: (message) => endSaying({ type: 'data-lost', message }),
  });
  await homeserver.start();
  return homeserver;
}

/** After a fault, running work can't finish, and the main process's port would keep this process alive. */
function endSaying(message: FromHomeserver): void {
  post(message);
  process.exitCode = 1;
  // Leaves time to send pending messages.
  setImmediate(() => process.exit());
}

async function receive(homeserver: Homeserver, message: ToHomeserver): Promise<void> {
  if (message.type === 'stop') {
    const known = isBusy(homeserver.services).catch(() => true);
    // An unresponsive database must not prevent the exit.
    post({ type: 'stopping', isBusy: await Promise.race([known, passed(answersWithinMs, true)]) });
    await homeserver.stop();
    process.exit();
  }
  const { id } = message;
  try {
    post({ type: 'answer', id, value: await answer(homeserver, message) });
  } catch (error) {
    post({ type: 'question-failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

function answer({ services }: Homeserver, { type }: Question): Promise<Answers[Question['type']]> {
  switch (type) {
    case 'sign-in':
      return issueSignInToken(services, signInLifetimeMs);
    case 'is-busy':
      return isBusy(services);
    case 'add-sample-data':
      return addSampleReports(services);
  }
}

/** Running tasks continue at the next start. */
async function isBusy({ db, backgroundUpdates }: Homeserver['services']): Promise<boolean> {
  if ((await countActiveTasks(db)) > 0) return true;
  const { enabled, current } = await backgroundUpdates.status();
  return enabled && current !== undefined;
}

function post(message: FromHomeserver): void {
  process.parentPort.postMessage(message);
}

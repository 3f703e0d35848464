/** Looks for what is wrong with one configuration, in a thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ConfigurationToCheck } from './check-configuration.ts';
import { problemsIn } from './configuration-problems.ts';

const { text, file, dataDir } = workerData as ConfigurationToCheck;
parentPort?.postMessage(await problemsIn(text, file, dataDir));

/** The command line, which many tests run as a process: from its sources it takes three times as long to start. */
import { buildCommandLine } from '../../electron/launch/build.ts';

export default buildCommandLine;

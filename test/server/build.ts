/**
 * The built command line, which many tests run as a process. Running it from source takes three times as long to
 * start.
 */
import { buildCommandLine } from '../../electron/launch/build.ts';

export default buildCommandLine;

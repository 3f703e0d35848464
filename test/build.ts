/** Global setup for console and shell tests: builds the bundles if a source changed. */
import { buildWhatIsMissing } from '../electron/launch/build.ts';

export default function build(): void {
  buildWhatIsMissing((line) => process.stdout.write(`${line}\n`));
}

/** What the hosts run, built before the first test. */
import { buildWhatIsMissing } from '../../electron/build.ts';

export default function build(): void {
  buildWhatIsMissing((line) => process.stdout.write(`${line}\n`));
}

/** What every test of the console and the shell runs, built once a run and only where something changed. */
import { buildWhatIsMissing } from '../electron/launch/build.ts';

export default function build(): void {
  buildWhatIsMissing((line) => process.stdout.write(`${line}\n`));
}

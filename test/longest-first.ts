/**
 * In which order files of tests begin: what takes long before what doesn't, so that no file is left to run by itself
 * when all others have ended. Of a clone Vitest knows no times, and would go by the sizes of files and the names of projects.
 */
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** Those that take more than forty seconds, the longest first. */
const longest = [
  'test/renderer/screens.test.ts',
  'test/renderer/screen-variants.test.ts',
  'test/renderer/actions-many.test.ts',
  'test/renderer/take-down.test.ts',
  'test/renderer/actions.test.ts',
  'test/renderer/subject-pages.test.ts',
  'test/e2e/homeservers.test.ts',
  'test/renderer/report-context.test.ts',
  'test/renderer/reports-queues.test.ts',
  'test/renderer/done-meanwhile.test.ts',
  'test/renderer/reports.test.ts',
  'test/electron/launch.test.ts',
];
/** By how long their files take at the average. To go from one to the next costs a process for each worker. */
const projects = ['e2e', 'renderer', 'electron', 'postgres', 'server', 'shared'];

const rank = ({ moduleId, project }: TestSpecification) => {
  const long = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return long === -1 ? longest.length + projects.indexOf(project.name) : long;
};

export class LongestFirst implements TestSequencer {
  readonly #vitest: Vitest;
  constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await (await this.#usual()).sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.#usual()).shard(files);
  }

  /** Loaded when it is needed: what only builds reads this file, too, as a part of the configuration. */
  async #usual(): Promise<TestSequencer> {
    const { BaseSequencer } = await import('vitest/node');
    return new BaseSequencer(this.#vitest);
  }
}

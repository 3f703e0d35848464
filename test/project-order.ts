/**
 * In which order files of tests begin: project by project, since going from one to the next costs a process for each
 * worker; those whose files take longest first, so that no long file is left to run alone when all others have ended.
 * Within a project Vitest goes by how long files took the last time, in a clone by their sizes.
 */
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** By how long their files take on average. */
const projects = ['e2e', 'renderer', 'electron', 'postgres', 'server', 'shared'];

const rank = ({ project }: TestSpecification) => projects.indexOf(project.name);

export class ProjectOrder implements TestSequencer {
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

/**
 * Order of test files. Project by project, because switching costs a new process per worker. Slow projects first, so
 * that no long file runs alone at the end. Within a project, Vitest orders by previous duration, or by size in a new
 * clone.
 */
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** By average duration of their files, longest first. */
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

  /** Imported lazily: builds load this file too, as part of the configuration. */
  async #usual(): Promise<TestSequencer> {
    const { BaseSequencer } = await import('vitest/node');
    return new BaseSequencer(this.#vitest);
  }
}

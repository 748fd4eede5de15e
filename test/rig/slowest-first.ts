import type { Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Vite plugin of the tests: starts these files before the others of their project. Until Vitest knows their
 * durations, as on a clean clone, it starts with large files; but files that wait for leases are slow however
 * short they are, and would still run when all others have finished.
 * @param endings suffixes of the paths of the files
 */
export function slowestFirst(endings: readonly string[]): Plugin {
  const isLong = ({ moduleId }: TestSpecification): boolean =>
    endings.some((ending) => moduleId.endsWith(ending));
  class SlowestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
      return [...projects.values()].flatMap((projectSpecs) => [
        ...projectSpecs.filter(isLong),
        ...projectSpecs.filter((file) => !isLong(file)),
      ]);
    }
  }
  return {
    name: 'stepwright:slowest-first',
    configureVitest({ vitest: { config } }) {
      // `--sequence.shuffle` has selected another one.
      if (config.sequence.sequencer === BaseSequencer) config.sequence.sequencer = SlowestFirst;
    },
  };
}

import type { Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Vite plugin of the tests: these files begin before the others of their project. Until Vitest has seen how long each
 * takes, as on a clean clone, it begins with the large ones; but what waits for leases takes long however short it is,
 * and would go on when all the others have ended.
 * @param endings how the paths of the files end
 */
export function longestFirst(endings: readonly string[]): Plugin {
  const isLong = ({ moduleId }: TestSpecification): boolean =>
    endings.some((ending) => moduleId.endsWith(ending));
  class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
      return [...projects.values()].flatMap((own) => [
        ...own.filter(isLong),
        ...own.filter((file) => !isLong(file)),
      ]);
    }
  }
  return {
    name: 'stepwright:longest-first',
    configureVitest({ vitest: { config } }) {
      // `--sequence.shuffle` has chosen another one.
      if (config.sequence.sequencer === BaseSequencer) config.sequence.sequencer = LongestFirst;
    },
  };
}

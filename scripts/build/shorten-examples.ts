import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

interface Example {
  readonly action?: string;
}

interface EventExamples {
  readonly name: string;
  readonly examples: readonly Example[];
}

const FILE = 'webhooks-examples/api.github.com/index.json';

/**
 * Includes only the shortest example of each event and action: half of the published ones, which are part of
 * the bundle.
 */
export function shortenExamples(): Plugin {
  return {
    name: 'stepwright:shorten-examples',
    async load(id) {
      if (!id.replaceAll('\\', '/').endsWith(FILE)) return undefined;
      const events = JSON.parse(await readFile(id, 'utf8')) as readonly EventExamples[];
      return JSON.stringify(events.map(shorten));
    },
  };
}

function shorten({ name, examples }: EventExamples): EventExamples {
  const shortest = new Map<string, Example>();
  for (const example of examples) {
    const { action = '' } = example;
    const shortestExample = shortest.get(action);
    if (shortestExample === undefined || lengthOf(example) < lengthOf(shortestExample))
      shortest.set(action, example);
  }
  return { name, examples: [...shortest.values()] };
}

const lengthOf = (example: Example): number => JSON.stringify(example).length;

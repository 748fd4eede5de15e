import published from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import type { JsonObject } from '../../base/json.ts';

interface PublishedExamples {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

/** Real payloads by published event names. The build retains the shortest of each action. */
export const publishedExamples = published as unknown as readonly PublishedExamples[];

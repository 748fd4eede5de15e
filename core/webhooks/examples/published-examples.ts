import published from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import type { JsonObject } from '../../base/json.ts';

interface PublishedExamples {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

/** Payloads as they were really sent, by the published names of events. A build keeps the shortest of each action. */
export const publishedExamples = published as unknown as readonly PublishedExamples[];

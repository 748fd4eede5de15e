import { pullPolicies, type PullPolicy } from '../../model/executors/container.ts';

/** Reads when an image is pulled. Default: `missing`; true and false mean always and never. */
export function readPullPolicy(text: string | undefined): PullPolicy {
  const word = (text ?? '').trim().toLowerCase();
  if (word === '') return 'missing';
  if (word === 'true') return 'always';
  if (word === 'false') return 'never';
  const policy = pullPolicies.find((each) => each === word);
  if (policy !== undefined) return policy;
  throw new Error(`Unknown pull policy "${text}". Use ${pullPolicies.join(', ')}, true or false.`);
}

import { textOf, type SourceRef } from '../../../spec/source/source-node.ts';
import type { ReadValue } from '../config-key.ts';

/** Names and values of labels: `{gpu: "true"}`, or `gpu=true,region=eu` in variables and flags. */
export const labelPairs: ReadValue<Readonly<Record<string, string>>> = (source, report) => {
  const pairs = listPairs(source);
  const wrong = pairs?.find(([name, value]) => name === '' || value === '');
  if (pairs !== undefined && wrong === undefined) return Object.fromEntries(pairs);
  report.error(
    source,
    `"${source.path}" must be labels, such as {gpu: "true", region: eu} or gpu=true,region=eu.`,
  );
  return undefined;
};

function listPairs({ node }: SourceRef): (readonly [name: string, value: string])[] | undefined {
  if (node.kind === 'map')
    return Array.from(node.entries, ([name, { node: value }]) => [
      name.trim(),
      value.kind === 'scalar' ? textOf(value).trim() : '',
    ]);
  if (node.kind === 'list') return undefined;
  return textOf(node)
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    });
}

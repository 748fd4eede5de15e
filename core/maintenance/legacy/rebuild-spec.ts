import { loadSpec } from '../../spec/load.ts';
import type { LegacyNode, LegacyStatus } from './legacy-status.ts';

const heading = `# Rebuilt from the history of release 1.16, which did not store workflows. For reference only.
`;

/** Handlers by their names in workflow files, with their step names in runs. */
export const legacyHandlers = [
  ['onSuccess', 'success', 'onSuccess'],
  ['onFailure', 'failure', 'onFailure'],
  ['onCancel', 'abort', 'onAbort'],
  ['onExit', 'exit', 'onExit'],
] as const;

/** Rebuilds a workflow with the steps of a recorded run, as far as recorded. */
export function rebuildSpec(name: string, status: LegacyStatus): string {
  const spec = write(name, status, describeStep);
  return isValid(spec) ? spec : write(name, status, describeShortly);
}

type Describe = (node: LegacyNode) => Record<string, unknown>;

function write(name: string, status: LegacyStatus, describe: Describe): string {
  const names = new Set(status.nodes.map((node) => node.name));
  const steps = status.nodes.map((node) => {
    const depends = node.depends.filter((other) => names.has(other));
    return `  - ${JSON.stringify({ name: node.name, ...describe(node), ...(depends.length === 0 ? {} : { depends }) })}`;
  });
  const handlers = legacyHandlers.flatMap(([key, label]) => {
    const node = status[key];
    return node === undefined ? [] : [`  ${label}: ${JSON.stringify(describe(node))}`];
  });
  return [
    `${heading}name: ${JSON.stringify(name)}`,
    'type: graph',
    ...(steps.length === 0 ? ['steps: []'] : ['steps:', ...steps]),
    ...(handlers.length === 0 ? [] : ['handlerOn:', ...handlers]),
    '',
  ].join('\n');
}

function describeStep(node: LegacyNode): Record<string, unknown> {
  const executor = ['', 'command', 'dag', 'subworkflow'].includes(node.executor)
    ? ''
    : `executor ${node.executor}`;
  const description = [node.description, executor].filter((part) => part !== '').join('; ');
  const details = description === '' ? {} : { description };
  if (node.calls !== '')
    return { ...details, run: node.calls, ...(node.callParams === '' ? {} : { params: node.callParams }) };
  if (node.script.trim() !== '' && node.command === '') return { ...details, script: node.script };
  return { ...details, command: node.command === '' ? 'true' : node.command };
}

const describeShortly: Describe = ({ command, calls }) => ({
  command: 'true',
  description: (calls === '' ? command : `calls ${calls}`).slice(0, 200),
});

const isValid = (text: string): boolean =>
  loadSpec({ text }).diagnostics.every(({ severity }) => severity !== 'error');

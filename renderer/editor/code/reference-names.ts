import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import { executorTypes } from '../../../core/model/step-types.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { abbreviateValue, type PreviousOutputs } from '../run/test-store.ts';

/** Names outside the file that it can refer to. */
export interface ExternalNames {
  /** Names of existing queues. */
  readonly queues: readonly string[];
  /** Names of the workflows in the home directory. */
  readonly workflows: readonly string[];
}

/** A name that a reference can have. */
export interface ReferenceName {
  readonly name: string;
  /** Description in one or two words. */
  readonly detail: string;
}

export const stepTypeNames: readonly string[] = executorTypes;

/** Lists the steps that a step can depend on. */
export function listSteps(analysis: Analysis | undefined): readonly ReferenceName[] {
  const steps = analysis?.outline.documents.flatMap((document) => document.steps) ?? [];
  return steps
    .filter(({ isNamed, id }) => isNamed || id !== undefined)
    .map(({ name, detail }) => ({ name, detail }));
}

const outputPattern = /^\s*(?:- +)?output:\s*["']?\$?\{?([A-Za-z_]\w*)/gm;
const builtIn = [
  'DAG_NAME',
  'DAG_RUN_ID',
  'DAG_RUN_LOG_FILE',
  'DAG_RUN_STATUS',
  'DAG_RUN_STEP_NAME',
  'DAG_RUN_STEP_STDOUT_FILE',
  'DAG_RUN_STEP_STDERR_FILE',
];

/**
 * Lists what `${…}` can reference: parameters, variables, outputs and step ids.
 * @param outputs outputs of earlier runs; those of removed steps are omitted
 */
export function listReferences(
  text: string,
  analysis: Analysis | undefined,
  outputs: PreviousOutputs = new Map(),
): readonly ReferenceName[] {
  const found = new Map<string, string>();
  const add = (name: string, detail: string): void => {
    if (!found.has(name)) found.set(name, detail);
  };
  for (const { params, env, steps } of analysis?.workflows ?? []) {
    for (const { name } of params) if (name !== undefined && name !== '') add(name, 'parameter');
    for (const { name } of env) add(name, 'variable');
    for (const step of steps) for (const { name } of step.env) add(name, `variable of ${step.name}`);
  }
  for (const { name, detail } of listLastOutputs(analysis, outputs)) add(name, detail);
  for (const [, name] of text.matchAll(outputPattern)) add(name!, 'output');
  for (const { id, name } of analysis?.outline.documents.flatMap((document) => document.steps) ?? []) {
    if (id === undefined) continue;
    for (const part of ['stdout', 'stderr', 'exitCode']) add(`${id}.${part}`, `of step ${name}`);
  }
  if (/\bparallel:/.test(text)) add('ITEM', 'parallel item');
  for (const name of builtIn) add(name, 'run variable');
  return [...found].map(([name, detail]) => ({ name, detail }));
}

/** Lists outputs of earlier runs, except those of removed steps. */
function listLastOutputs(analysis: Analysis | undefined, outputs: PreviousOutputs): readonly ReferenceName[] {
  const steps = new Set(analysis?.outline.documents[0]?.steps.map(({ name }) => name));
  return [...outputs.values()]
    .filter(({ step }) => steps.has(step))
    .map(({ name, value }) => ({ name, detail: `output, last value ${abbreviateValue(value)}` }));
}

const nothing: ExternalNames = { queues: [], workflows: [] };
const freshMs = 30_000;
const maxDags = 1000;

/** Names outside the file for completion; none if the engine cannot be reached. */
export function useExternalNames(): () => Promise<ExternalNames> {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useCallback(
    () =>
      cache
        .fetchQuery({
          queryKey: queryKeys.outsideNames,
          queryFn: async () => {
            const [{ queues }, { dags }] = await Promise.all([
              bridge.call('queues.list', {}),
              bridge.call('dags.list', { limit: maxDags }),
            ]);
            return { queues: queues.map(({ name }) => name), workflows: dags.map(({ name }) => name) };
          },
          staleTime: freshMs,
        })
        .catch(() => nothing),
    [bridge, cache],
  );
}

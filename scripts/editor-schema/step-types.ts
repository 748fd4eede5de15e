import { executorAliases, type ExecutorType } from '../../core/model/executors/executor-type.ts';
import { executorRules } from '../../core/spec/executors/rules.ts';

/** Types that no executor has, and need not be written. */
const others: Readonly<Record<string, string>> = {
  command: 'A command or script of this machine; what a step is when it names no type.',
  shell: 'The same as command.',
  dag: 'The workflow that "run" names.',
  subworkflow: 'The same as dag.',
  parallel: 'The workflow that "run" names, once for each item of "parallel".',
};

/** What a kind of step does, in one sentence. */
export function describeStepType(type: string): string {
  const other = executorAliases[type];
  return others[type] ?? (other && `The same as ${other}.`) ?? executorRules[type as ExecutorType].sentence;
}

import { executorAliases, type ExecutorType } from '../../core/model/executors/executor-type.ts';
import { executorRules } from '../../core/spec/executors/rules.ts';

/** Types without an executor, which are optional. */
const others: Readonly<Record<string, string>> = {
  command: 'Local command or script. The default type.',
  shell: 'Same as command.',
  dag: 'Runs the sub-workflow in "run".',
  subworkflow: 'Same as dag.',
  parallel: 'Runs the sub-workflow once per item of "parallel".',
};

/** Describes a step type in one sentence. */
export function describeStepType(type: string): string {
  const other = executorAliases[type];
  return others[type] ?? (other && `Same as ${other}.`) ?? executorRules[type as ExecutorType].sentence;
}

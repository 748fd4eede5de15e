import type { ExecutorType } from '../../core/model/executors/executor-type.ts';
import type { StepAction } from '../../core/model/workflow/step.ts';
import { summaryLine } from '../../core/spec/summary-line.ts';

/** Describes a step's action on one line. */
export function describeAction(action: StepAction): string {
  switch (action.kind) {
    case 'command':
      return summaryLine(action.command);
    case 'argv':
      return action.argv.join(' ');
    case 'script':
      return summaryLine(action.script);
    case 'dag':
      return [action.dag, ...action.params.map(({ name, value }) => `${name}=${value}`)].join(' ');
    case 'executor':
      return summaryLine(
        action.command ?? action.argv?.join(' ') ?? action.script ?? readQuestion(action.config),
      );
  }
}

export const nameAction = (action: StepAction): string => kindNames[kindOf(action)];

/** The kind of an action; for an executor, its name. */
export type ActionKind = Exclude<StepAction['kind'], 'executor'> | ExecutorType;

/** Returns the kind of an action. */
export const kindOf = (action: StepAction): ActionKind =>
  action.kind === 'executor' ? action.type : action.kind;

/** Labels of the kinds of action. */
export const kindNames: Readonly<Record<ActionKind, string>> = {
  command: 'Shell command',
  argv: 'Program',
  script: 'Script',
  dag: 'Sub-workflow',
  approval: 'Approval',
  archive: 'Archive',
  container: 'Container',
  gha: 'GitHub Action',
  http: 'HTTP request',
  jq: 'JSON query',
  mail: 'Mail',
  sql: 'SQL',
  ssh: 'SSH command',
};

/** Reads the question of an approval step. */
const readQuestion = ({ question }: Readonly<Record<string, unknown>>): string =>
  typeof question === 'string' ? question : '';

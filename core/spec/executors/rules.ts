import type { ConfigTable } from '../../model/executors/config-table.ts';
import type { ExecutorType } from '../../model/executors/executor-type.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import type { SourceRef } from '../source/source-node.ts';
import { approvalRules } from './approval.ts';
import { archiveRules } from './archive.ts';
import { containerRules } from './container.ts';
import { ghaRules } from './gha.ts';
import { httpRules } from './http.ts';
import { jqRules } from './jq.ts';
import { mailRules } from './mail.ts';
import { sqlRules } from './sql.ts';
import { sshRules } from './ssh.ts';

/** Whether a field is required, optional or not allowed. */
export type FieldRequirement = 'needed' | 'allowed' | 'refused';

/** Rules for the steps of one executor. */
export interface ExecutorRules {
  /** Description of the executor for editors. */
  readonly sentence: string;
  /** The fields of `config`. */
  readonly table: ConfigTable;
  readonly command: FieldRequirement;
  readonly script: FieldRequirement;
  /** Rule for `params`. */
  readonly params: FieldRequirement;
  /** Descriptions of the two fields for editors, if they do not contain local shell commands. */
  readonly words?: { readonly command?: string; readonly script?: string };
  /** An example step for messages and editors. */
  readonly example: string;
  /** Checks that the table cannot express. */
  check?(action: ExecutorAction, step: SourceRef, report: Report): void;
}

/** The executors of this version. Each file in this folder has the rules of one executor. */
export const executorRules: Readonly<Record<ExecutorType, ExecutorRules>> = {
  approval: approvalRules,
  archive: archiveRules,
  container: containerRules,
  gha: ghaRules,
  http: httpRules,
  jq: jqRules,
  mail: mailRules,
  sql: sqlRules,
  ssh: sshRules,
};

import { toWorkflowName } from '../../../core/import/choose-name.ts';
import { importCrontab } from '../../../core/import/crontab/import-crontab.ts';
import { hasUserColumn, parseCrontab } from '../../../core/import/crontab/parse-crontab.ts';
import {
  writeWorkflow,
  type ImportedWorkflow,
  type ImportResult,
} from '../../../core/import/imported-workflow.ts';
import { importMakefile } from '../../../core/import/makefile/import-makefile.ts';
import { importShellScript } from '../../../core/import/shell/import-shell-script.ts';
import type { Template } from './templates.ts';
import type { SourceKind } from './ways.ts';
import type { NewWorkflowInputs } from './new-workflow-inputs.ts';

/** A workflow that can be created. */
export interface ProposedWorkflow extends ImportedWorkflow {
  /** For a crontab: schedule and command, to distinguish the jobs. */
  readonly job?: { readonly schedule: string; readonly command: string };
}

export interface Proposal {
  readonly workflows: readonly ProposedWorkflow[];
  /** Notes about all of them. */
  readonly notes: readonly string[];
  /** Why there is none; undefined before any input. */
  readonly reason: string | undefined;
}

const nothing: Proposal = { workflows: [], notes: [], reason: undefined };

/** Returns the workflows that the input results in. Never throws. */
export function proposeWorkflows(
  way: SourceKind,
  requests: NewWorkflowInputs,
  templates: readonly Template[],
): Proposal {
  switch (way) {
    case 'blank':
      return proposeBlank(requests.blank);
    case 'template': {
      const template = templates.find(({ id }) => id === requests.template);
      return template ? single(template.id, template.text) : nothing;
    }
    case 'shell': {
      const { text, fileName, split } = requests.shell;
      if (text.trim() === '') return nothing;
      return fromImport(() => importShellScript({ fileName: fileName || 'script', script: text, split }));
    }
    case 'crontab':
      return proposeJobs(requests.crontab);
    case 'makefile': {
      const { text, target } = requests.makefile;
      if (text.trim() === '') return nothing;
      return fromImport(() => importMakefile(target === undefined ? { text } : { text, target }));
    }
    case 'yaml': {
      const { text, fileName } = requests.yaml;
      return text.trim() === '' ? nothing : single(nameOfYaml(fileName, text), text);
    }
  }
}

const single = (name: string, text: string): Proposal => ({
  ...nothing,
  workflows: [{ name, text, notes: [] }],
});

function proposeBlank({ description, step, command }: NewWorkflowInputs['blank']): Proposal {
  if (step.trim() === '') return { ...nothing, reason: 'Enter a name for the first step.' };
  if (command.trim() === '') return { ...nothing, reason: 'Enter a command for the first step.' };
  const text = writeWorkflow({
    description: description.trim() === '' ? undefined : description.trim(),
    steps: [{ name: step.trim(), command: command.trim() }],
  });
  return single('', text);
}

function proposeJobs({ text, kind }: NewWorkflowInputs['crontab']): Proposal {
  if (text.trim() === '') return nothing;
  const withUser = kind === 'detect' ? hasUserColumn(text) : kind === 'system';
  const { jobs } = parseCrontab(text, withUser);
  const proposal = fromImport(() => importCrontab(text, withUser));
  return {
    ...proposal,
    workflows: proposal.workflows.map((workflow, index) => {
      const job = jobs[index];
      return job ? { ...workflow, job: { schedule: job.schedule, command: job.command } } : workflow;
    }),
  };
}

function fromImport(run: () => ImportResult): Proposal {
  const result = run();
  return result.ok
    ? { workflows: result.workflows, notes: result.notes, reason: undefined }
    : { ...nothing, reason: result.reason };
}

/** Returns the name from the file, or else from the text. */
function nameOfYaml(fileName: string, text: string): string {
  if (fileName !== '') return toWorkflowName(fileName.replace(/\.ya?ml$/i, ''));
  const named = /^name:[ \t]*(["']?)([A-Za-z0-9_.-]{1,40})\1[ \t]*(?:#.*)?$/m.exec(text)?.[2];
  return named ?? 'workflow';
}

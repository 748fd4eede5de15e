import { editParamDefaults } from '../../../core/edit/workflow-fields.ts';
import { isMap, parseDocument } from 'yaml';
import { dagNamePattern } from '../../../core/base/ids.ts';
import {
  toWorkflowName,
  type ImportedWorkflow,
  type ImportResult,
} from '../../../core/edit/import/imported-workflow.ts';
import { importCrontab, hasUserColumn } from '../../../core/edit/import/crontab.ts';
import { importMakefile } from '../../../core/edit/import/import-makefile.ts';
import { importShellScript } from '../../../core/edit/import/shell-script.ts';
import { emptySource, type SourceText } from './dropped-files.tsx';
import type { TextSourceKind, SourceKind } from './new-workflow-button.tsx';

/** The kind of crontab, which decides whether its lines name users. */
export type CrontabKind = 'detect' | 'user' | 'system';

/** Input for all ways at once, so that switching between them loses nothing. */
export interface NewWorkflowInputs {
  /** Id of the template. */
  readonly template: string;
  /** Entered for its parameters. */
  readonly templateValues: Readonly<Record<string, string | number | boolean | null>>;
  readonly shell: SourceText & { readonly split: boolean };
  readonly crontab: SourceText & {
    readonly kind: CrontabKind;
    /** Of the workflows; by default the name of the file. */
    readonly group: string | undefined;
    /** Whether jobs of the same minute are moved apart. */
    readonly spread: boolean;
  };
  readonly makefile: SourceText & {
    /** The default target of make when undefined. */
    readonly target: string | undefined;
  };
  readonly yaml: SourceText;
}

export const emptyInputs: NewWorkflowInputs = {
  template: 'first-steps',
  templateValues: {},
  shell: { ...emptySource, split: false },
  crontab: { ...emptySource, kind: 'detect', group: undefined, spread: false },
  makefile: { ...emptySource, target: undefined },
  yaml: emptySource,
};

/** Sets the text of one way; options that depend on the text are reset for another file. */
export function withSourceText(
  requests: NewWorkflowInputs,
  way: TextSourceKind,
  source: SourceText,
): NewWorkflowInputs {
  if (way === 'makefile') {
    const target = source.fileName === requests.makefile.fileName ? requests.makefile.target : undefined;
    return { ...requests, makefile: { ...source, target } };
  }
  if (way === 'crontab')
    return { ...requests, crontab: { ...requests.crontab, ...source, group: undefined, spread: false } };
  return { ...requests, [way]: { ...requests[way], ...source } };
}

/** A bundled workflow template. */
export interface Template {
  /** File name without extension, and initial name of the workflow. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly text: string;
}

const first = 'first-steps';

// This module loads with the page of the templates, so their texts are not part of the initial load.
const texts = import.meta.glob<string>('../../../resources/templates/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const rank = ({ id, title }: Template): string => (id === first ? '' : title);

/** Parses a template; its description has the form `Title: what it does`. */
export function readTemplate(id: string, text: string): Template {
  const { contents } = parseDocument(text);
  const described = isMap(contents) ? String(contents.get('description') ?? '') : '';
  const tags = isMap(contents) ? String(contents.get('tags') ?? '') : '';
  const [title = id, ...rest] = described.split(': ');
  const description = rest.join(': ');
  return {
    id,
    title: title === '' ? id : title,
    description: description.replace(/^[a-z]+(?=[\s,])/, capitalize),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    text,
  };
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** All templates by title, the beginner template first. */
export const templates: readonly Template[] = Object.entries(texts)
  .map(([path, text]) => readTemplate(path.replace(/^.*\/|\.yaml$/g, ''), text))
  .toSorted((a, b) => rank(a).localeCompare(rank(b)));

/** Returns the templates that contain all words. */
export function findTemplates(all: readonly Template[], words: string): readonly Template[] {
  const searchWords = words.toLowerCase().split(/\s+/);
  return all.filter(({ id, title, description, tags, text }) => {
    const searchText = [id, title, description, ...tags, text].join('\n').toLowerCase();
    return searchWords.every((word) => searchText.includes(word));
  });
}

const fits = new RegExp(dagNamePattern);
const maxLength = 40;

/** Returns why the name of a new workflow file is invalid (core/base/ids.ts); undefined if it is valid. */
export function checkName(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return 'Enter a name.';
  const invalidCharacter = /[^A-Za-z0-9_.-]/u.exec(name)?.[0];
  if (invalidCharacter !== undefined)
    return `Invalid character: ${invalidCharacter === ' ' ? 'space' : `"${invalidCharacter}"`}. Use only letters, digits, ".", "_" and "-".`;
  if (name.length > maxLength) return `Name too long: ${name.length} characters. Maximum: ${maxLength}.`;
  if (!fits.test(name)) return 'Use only letters, digits, ".", "_" and "-".';
  if (name.startsWith('.')) return 'A name cannot start with ".".';
  if (/\.ya?ml$/i.test(name)) return 'Leave out the extension ".yaml".';
  if (taken.has(name)) return `Workflow "${name}" already exists. Choose another name.`;
  return undefined;
}

/** Returns the requested name, with the first free number appended if it is taken. */
export function uniqueFileName(baseName: string, taken: ReadonlySet<string>): string {
  const stem = baseName.replace(/-\d{1,2}$/, '');
  let free = baseName;
  for (let number = 2; taken.has(free); number += 1) {
    const ending = `-${number}`;
    free = stem.slice(0, maxLength - ending.length) + ending;
  }
  return free;
}

/** A workflow that can be created. */
interface ProposedWorkflow extends ImportedWorkflow {
  /** Whether it has no steps yet, which is an error in any other workflow. */
  readonly isBlank?: true;
}

export interface Proposal {
  readonly workflows: readonly ProposedWorkflow[];
  /** Notes about all of them. */
  readonly notes: readonly string[];
  /** Jobs of a crontab that start in the same minute. */
  readonly collisions?: readonly string[];
  /** Why there is none; undefined before any input. */
  readonly reason: string | undefined;
}

const nothing: Proposal = { workflows: [], notes: [], reason: undefined };
const blank: Proposal = {
  ...nothing,
  workflows: [{ name: 'my-workflow', text: 'steps: []\n', notes: [], isBlank: true }],
};

/** Returns the workflows that the input results in. Never throws. */
export function proposeWorkflows(
  way: SourceKind,
  requests: NewWorkflowInputs,
  available: readonly Template[],
): Proposal {
  switch (way) {
    case 'blank':
      return blank;
    case 'template': {
      const template = available.find(({ id }) => id === requests.template);
      return template ? single(template.id, fillTemplate(template.text, requests.templateValues)) : nothing;
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
      return text.trim() === '' ? nothing : single(getYamlName(fileName, text), text);
    }
  }
}

/** Returns the text of a template with the entered values as defaults of its parameters. */
function fillTemplate(text: string, values: NewWorkflowInputs['templateValues']): string {
  const defaults = Object.entries(values).filter(([, value]) => value !== null);
  const edited = editParamDefaults(text, Object.fromEntries(defaults));
  return 'text' in edited ? edited.text : text;
}

const single = (name: string, text: string): Proposal => ({
  ...nothing,
  workflows: [{ name, text, notes: [] }],
});

/** The group of the workflows of a crontab. */
export const getCrontabGroup = ({ group, fileName }: NewWorkflowInputs['crontab']): string =>
  group ?? (fileName.replace(/\.[^.]*$/, '') || 'crontab');

function proposeJobs(input: NewWorkflowInputs['crontab']): Proposal {
  const { text, kind, spread } = input;
  if (text.trim() === '') return nothing;
  const withUser = kind === 'detect' ? hasUserColumn(text) : kind === 'system';
  const group = getCrontabGroup(input).trim();
  return fromImport(() => importCrontab(text, withUser, { group: group === '' ? undefined : group, spread }));
}

function fromImport(run: () => ImportResult): Proposal {
  const result = run();
  return result.ok
    ? {
        workflows: result.workflows,
        notes: result.notes,
        collisions: result.collisions ?? [],
        reason: undefined,
      }
    : { ...nothing, reason: result.reason };
}

/** Returns the name from the file, or else from the text. */
function getYamlName(fileName: string, text: string): string {
  if (fileName !== '') return toWorkflowName(fileName.replace(/\.ya?ml$/i, ''));
  const named = /^name:[ \t]*(["']?)([A-Za-z0-9_.-]{1,40})\1[ \t]*(?:#.*)?$/m.exec(text)?.[2];
  return named ?? 'workflow';
}

/** The result of creating a workflow. */
export type Outcome =
  | { readonly ok: true; readonly fileName: string }
  | { readonly ok: false; readonly reason: string };

/** The user's choices and the results, by the index of the proposed workflow. */
export interface CandidateChoices {
  readonly names: ReadonlyMap<number, string>;
  /** Indexes of unselected workflows. */
  readonly excluded: ReadonlySet<number>;
  readonly outcomes: ReadonlyMap<number, Outcome>;
}

export const emptyChoices: CandidateChoices = { names: new Map(), excluded: new Set(), outcomes: new Map() };

/** A proposed workflow with its final name and state. */
export interface Candidate extends ProposedWorkflow {
  readonly index: number;
  /** Why the name is invalid. */
  readonly nameError: string | undefined;
  readonly isChosen: boolean;
  readonly outcome: Outcome | undefined;
}

/**
 * Names the proposed workflows: as the user chose, otherwise as proposed, with a number appended if that is
 * taken.
 * @param taken names of existing workflow files
 */
export function listCandidates(
  proposed: readonly ProposedWorkflow[],
  { names, excluded, outcomes }: CandidateChoices,
  taken: ReadonlySet<string>,
): readonly Candidate[] {
  const used = new Set([...taken, ...names.values()]);
  const named = proposed.map((workflow, index) => {
    const outcome = outcomes.get(index);
    const typed = outcome?.ok === true ? outcome.fileName : names.get(index);
    const name = typed ?? (workflow.name === '' ? '' : uniqueFileName(workflow.name, used));
    used.add(name);
    const isCreated = outcome?.ok === true;
    return { ...workflow, index, name, outcome, isChosen: !isCreated && !excluded.has(index) };
  });
  return named.map((candidate) => {
    const others = named.filter((other) => other.index !== candidate.index && other.isChosen);
    const isTwice = others.some(({ name }) => name === candidate.name);
    const nameError = !candidate.isChosen
      ? undefined
      : (checkName(candidate.name, taken) ??
        (isTwice ? 'This name is already used above. Choose another name.' : undefined));
    return { ...candidate, nameError };
  });
}

import { getErrorMessage } from '../../base/errors.ts';
import type { DryFindingView, DryFolderView, DryNamedValueView, DryValueView } from '../../contract/dry.ts';
import type { Masker } from '../../process/secrets/masker.ts';
import type { ShellDialect } from '../../executors/shell/shell.ts';
import { directoryExists } from '../values/files.ts';

/** The subject of a finding: a workflow, one of its steps, or a field of either. */
export type FindingLocation = Pick<DryFindingView, 'plan' | 'workflow' | 'step' | 'field'>;

/** Collects findings, without duplicates at the same place. */
export class FindingList {
  readonly #findings = new Map<string, DryFindingView>();
  #location: FindingLocation = { plan: 0, workflow: '' };

  /** The place that new findings belong to. */
  get location(): FindingLocation {
    return this.#location;
  }

  /** Runs work whose findings belong to a narrower place. Calls must not overlap. */
  async at<Result>(
    location: Partial<FindingLocation>,
    work: () => Promise<Result> | Result,
  ): Promise<Result> {
    const before = this.#location;
    this.#location = { ...before, ...location };
    try {
      return await work();
    } finally {
      this.#location = before;
    }
  }

  add(severity: DryFindingView['severity'], message: string): void {
    this.addAt(this.#location, severity, message);
  }

  addAt(location: FindingLocation, severity: DryFindingView['severity'], message: string): void {
    const finding = { severity, message: stripUnknownMarks(message), ...location };
    this.#findings.set(JSON.stringify(finding), finding);
  }

  /** Adds an error finding for something that cannot be resolved. */
  addError(error: unknown): void {
    this.add('error', getErrorMessage(error));
  }

  /** Returns the errors, then the warnings, each in the order found. */
  list(): DryFindingView[] {
    const all = [...this.#findings.values()];
    const order = ['error', 'warning', 'info'] as const;
    return order.flatMap((severity) => all.filter((finding) => finding.severity === severity));
  }
}

/** Creates the views of resolved values for clients: without marks and secrets. */
export class MaskedViews {
  readonly #masker: Masker;

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** Returns a string with its secrets masked. */
  plain(text: string): string {
    return this.#masker.mask(stripUnknownMarks(text));
  }

  value(text: string): DryValueView {
    const value = this.plain(text);
    return hasUnknown(text)
      ? { value, unresolved: listUnknown(text).map((part) => this.plain(part)) }
      : { value };
  }

  named(name: string, text: string): DryNamedValueView {
    return { name, ...this.value(text) };
  }

  /** Returns the variables in their order. */
  list(values: Readonly<Record<string, string>>): DryNamedValueView[] {
    return Object.entries(values).map(([name, text]) => this.named(name, text));
  }

  /**
   * Returns a directory, and whether it exists.
   * @param base the base directory; left out when the rest is not known yet and may be an absolute path
   */
  folder(folder: string, base = ''): DryFolderView {
    if (!hasUnknown(folder)) return { ...this.value(folder), ...checkExistence(folder) };
    const relativePath = folder.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder;
    const beginsUnknown = hasUnknown(relativePath.slice(0, 1));
    return this.value(beginsUnknown ? relativePath : folder);
  }
}

/** Returns nothing for a directory that is missing and cannot be created, which is reported as a finding. */
function checkExistence(folder: string): Pick<DryFolderView, 'exists'> {
  try {
    return { exists: directoryExists(folder) };
  } catch {
    return {};
  }
}

/**
 * Encloses a part of a value that is only known at run time. Unicode reserves these two noncharacters for internal use,
 * so no input contains them and marked parts stay recognizable wherever a value is inserted.
 */
const openMark = '\uFDD0';
const closeMark = '\uFDD1';
const unknownPart = new RegExp(`${openMark}([^${closeMark}]*)${closeMark}`, 'g');
const marks = new RegExp(`[${openMark}${closeMark}]`, 'g');

/** Returns a placeholder for a value that is not known yet: its source as written, such as `${RESULT}`. */
export const markUnknown = (source: string): string => `${openMark}${stripUnknownMarks(source)}${closeMark}`;

/** Whether a part of the string is not known yet. */
export const hasUnknown = (text: string): boolean => text.includes(openMark);

/** Returns the string for display. */
export const stripUnknownMarks = (text: string): string => text.replaceAll(marks, '');

/** Returns the parts of the string that are not known yet, as written, without duplicates. */
const listUnknown = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(unknownPart), ([, source = '']) => source)),
];

/**
 * Returns which of some variables a shell or interpreter script refers to, in the order of the variables. In POSIX
 * shell scripts they follow `$`; elsewhere (`os.environ["DATE"]`, `%DATE%`, `$env:DATE`) they appear as words.
 */
export function findMentionedVariables(
  text: string,
  names: readonly string[],
  dialect: ShellDialect | undefined,
): string[] {
  const mentioned = new Set<string>();
  const pattern =
    dialect === undefined ? /[A-Za-z_][A-Za-z0-9_]*/g : /\$\{?[#!]?([A-Za-z_][A-Za-z0-9_]*|[0-9]+)/g;
  for (const match of text.matchAll(pattern)) mentioned.add(match[1] ?? match[0]);
  if (dialect !== undefined && /\$\{?[@*]/.test(text))
    for (const name of names) if (/^[0-9]+$/.test(name)) mentioned.add(name);
  return names.filter((name) => mentioned.has(name));
}

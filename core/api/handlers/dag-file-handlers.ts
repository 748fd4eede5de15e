import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { DagSpecView } from '../../contract/dag-files.ts';
import type { SpecFile } from '../../library/read-spec.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import { activeRunStatuses } from '../../model/status.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import type { EngineParts } from '../engine-parts.ts';
import { nameOf } from './dag-list.ts';
import type { HandlersFor } from './handlers.ts';

/** What a workflow is that nobody has said anything about. */
const firstSpec = 'steps:\n  - name: hello\n    command: echo hello\n';

type FileOperation = 'dags.create' | 'dags.spec' | 'dags.updateSpec' | 'dags.rename' | 'dags.delete';

/** Operations on workflow files. */
export const dagFileHandlers: HandlersFor<FileOperation> = {
  'dags.create': ({ name, spec = firstSpec }, { library }) => {
    refuseHidden(name);
    requireValid(library.check(requireText(spec), library.placeOf(name)));
    library.create(name, spec);
    return { name: nameOf(library.get(name)), fileName: name, hash: hashOf(spec) };
  },
  'dags.spec': ({ fileName }, { library }) => toSpecView(library.get(fileName)),
  'dags.updateSpec': ({ fileName, spec, baseHash }, { library }) => {
    const current = library.get(fileName);
    if (baseHash !== undefined) refuseChanged(current, baseHash);
    requireValid(library.check(requireText(spec), current.file));
    library.replace(fileName, spec);
    return toSpecView(library.get(fileName));
  },
  'dags.rename': ({ fileName, newFileName }, parts) => {
    const { library, schedule, clock } = parts;
    const entry = library.get(fileName);
    refuseHidden(newFileName);
    refuseActive(entry, parts, 'rename it');
    if (newFileName !== fileName) {
      library.rename(fileName, newFileName);
      const isSuspended = schedule.isSuspended(fileName);
      if (isSuspended !== schedule.isSuspended(newFileName))
        schedule.setSuspended(newFileName, isSuspended, clock.now());
      if (isSuspended) schedule.setSuspended(fileName, false, clock.now());
    }
    return { fileName: newFileName, name: nameOf(library.get(newFileName)) };
  },
  'dags.delete': ({ fileName }, parts) => {
    const { library, schedule, clock } = parts;
    refuseActive(library.get(fileName), parts, 'remove it');
    library.remove(fileName);
    // A file of the same name that comes later is another workflow.
    if (schedule.isSuspended(fileName)) schedule.setSuspended(fileName, false, clock.now());
    return { fileName };
  },
};

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

function toSpecView({ fileName, spec }: LibraryEntry): DagSpecView {
  const { text, diagnostics, workflows } = spec;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    fileName,
    spec: text,
    hash: hashOf(text),
    errors: errors.map((diagnostic) => formatDiagnostic(diagnostic)),
    diagnostics: [...diagnostics],
    dag: workflows[0],
  };
}

/** The library passes over such files. */
function refuseHidden(name: string): void {
  if (!name.startsWith('.')) return;
  throw new AppError('bad_request', `"${name}" would be a hidden file; begin the name with something else`);
}

/** What is read again must be what was sent. */
function requireText(spec: string): string {
  if (spec.isWellFormed()) return spec;
  throw new AppError('bad_request', 'spec: it holds half a surrogate pair, which no UTF-8 file can hold', {
    details: { field: 'spec' },
  });
}

function requireValid({ diagnostics }: SpecFile): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new AppError(
    'invalid_spec',
    `This is not a valid workflow, so nothing was written: ${formatDiagnostic(first)}${more}`,
    { details: { diagnostics: errors } },
  );
}

function refuseChanged({ fileName, spec }: LibraryEntry, baseHash: string): void {
  const hash = hashOf(spec.text);
  if (hash === baseHash) return;
  throw new AppError(
    'conflict',
    `The file of ${fileName} has been changed since you read it. Read it anew and repeat your change, or send it without baseHash.`,
    { details: { hash } },
  );
}

function refuseActive(entry: LibraryEntry, { store }: EngineParts, wish: string): void {
  const name = nameOf(entry);
  const [run] = store.listRuns({ name, statuses: activeRunStatuses, topLevelOnly: true, limit: 1 });
  if (run === undefined) return;
  throw new AppError(
    'still_running',
    `The run ${run.dagRunId} of ${name} is ${run.status}. Wait until it has ended, or stop it; then ${wish}.`,
    { details: { dagRunId: run.dagRunId } },
  );
}

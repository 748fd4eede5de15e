import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import { editName, editOrganizingFields, type EditedText } from '../../edit/workflow-fields.ts';
import { hashText } from '../../home/library/spec-versions.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import { activeRunStatuses } from '../../model/run.ts';
import type { Caller } from '../engine-api.ts';
import type { EngineContext } from '../engine-context.ts';
import { assertUnchanged, assertVisibleName, requireValid } from './dag-file-handlers.ts';
import { getName } from './dag-list.ts';
import type { HandlersFor } from './handlers.ts';
import { dagRunHandlers } from './run-step-handlers.ts';
import {
  findReferences,
  revisionOf,
  rewriteForMove,
  rewriteForRename,
  updateReferences,
  type WorkflowReference,
} from './workflow-references.ts';

type DagAction =
  | 'dags.rename'
  | 'dags.references'
  | 'dags.duplicate'
  | 'dags.move'
  | 'dags.updateFields'
  | 'dags.delete'
  | 'dags.restore';

/** Operations that organize workflow files. */
export const dagActionHandlers: HandlersFor<DagAction> = {
  'dags.rename': rename,
  'dags.references': async ({ fileName }, { library }) => {
    const target = await library.get(fileName);
    const references = findReferences(target, await library.listLoaded());
    return {
      references: references.map(({ entry, steps, byPath }) => ({
        fileName: entry.fileName,
        name: getName(entry),
        steps: [...steps],
        byPath: [...byPath],
      })),
      revision: revisionOf(references),
    };
  },
  'dags.duplicate': async ({ fileName, newFileName }, context, caller) => {
    const { library, editor, schedule, clock } = context;
    const { spec, ...source } = await library.get(fileName);
    assertVisibleName('newFileName', newFileName);
    // A file with errors has no name that can be changed.
    const edited = editName(spec.text, newFileName);
    library.create(
      newFileName,
      'text' in edited ? edited.text : spec.text,
      library.getFolder(source),
      path.extname(source.file),
    );
    const entry = await library.get(newFileName);
    await editor.recordCreated(entry, { by: caller.name });
    const suspended = hasSchedule(entry);
    if (suspended) await schedule.setSuspended(newFileName, true, clock.now());
    return { fileName: newFileName, name: getName(entry), suspended };
  },
  'dags.move': async ({ fileName, folder, ...options }, context, caller) => {
    const { library, editor } = context;
    const entry = await library.get(fileName);
    if (options.baseHash !== undefined) assertUnchanged(entry, options.baseHash);
    const references = await findCallers(entry, options, context);
    await editor.recordExternalChange(entry);
    library.move(fileName, folder);
    const rewrite = rewriteForMove(await library.get(fileName));
    const updated = await updateReferences(entry, references, rewrite, (other, changed) =>
      save(other, changed, context, caller),
    );
    return { fileName, folder, references: updated.filter(({ steps }) => steps.length > 0) };
  },
  'dags.updateFields': async ({ fileName, baseHash, ...changes }, context, caller) => {
    const entry = await context.library.get(fileName);
    if (baseHash !== undefined) assertUnchanged(entry, baseHash);
    const text = getText(editOrganizingFields(entry.spec.text, changes));
    return { fileName, hash: await save(entry, text, context, caller) };
  },
  'dags.delete': async ({ fileName, stopRuns = false, baseHash }, context, caller) => {
    const { library, schedule, clock, editor } = context;
    const entry = await library.get(fileName);
    if (baseHash !== undefined) assertUnchanged(entry, baseHash);
    const stopped = stopRuns ? await stopAll(fileName, context, caller) : 0;
    if (!stopRuns) await assertNotActive(entry, context, 'delete the workflow');
    const isSuspended = await schedule.isSuspended(fileName);
    const folder = library.getFolder(entry);
    await editor.saveForRestore(entry, caller.name, {
      folder,
      extension: path.extname(entry.file),
      isSuspended,
    });
    library.remove(fileName);
    editor.recordRemoved(fileName);
    // A later file of the same name is another workflow.
    if (isSuspended) await schedule.setSuspended(fileName, false, clock.now());
    return { fileName, name: getName(entry), stopped };
  },
  'dags.restore': async ({ fileName }, context, caller) => {
    const { library, editor, schedule, clock } = context;
    const [version] = await editor.versions.list(fileName, undefined, 1);
    if (version === undefined)
      throw new AppError('not_found', `Workflow "${fileName}" not found, and it has no versions.`);
    const { folder = '', extension, isSuspended = false, draft } = editor.deleted.read(fileName) ?? {};
    library.create(fileName, (await editor.versions.get(fileName, version.id)).text, folder, extension);
    const entry = await library.get(fileName);
    await editor.recordCreated(entry, { by: caller.name, restoredFrom: version.id });
    if (draft !== undefined) editor.drafts.put({ fileName }, { ...draft, revision: 0 });
    if (isSuspended) await schedule.setSuspended(fileName, true, clock.now());
    return { fileName, name: getName(entry), folder };
  },
};

/**
 * Returns the references to update.
 * @throws `conflict` if they are not those that the caller has seen
 */
async function findCallers(
  entry: LibraryEntry,
  { updateReferences: isUpdating, baseReferences }: Partial<OperationInput<'dags.move'>>,
  { library }: EngineContext,
): Promise<readonly WorkflowReference[]> {
  if (isUpdating !== true) return [];
  const references = findReferences(entry, await library.listLoaded());
  if (baseReferences === undefined || baseReferences === revisionOf(references)) return references;
  throw new AppError(
    'conflict',
    `The workflows that run ${entry.fileName} have changed since you read them. Check the references and try again.`,
  );
}

async function rename(
  input: OperationInput<'dags.rename'>,
  context: EngineContext,
  caller: Caller,
): Promise<OperationOutput<'dags.rename'>> {
  const { fileName, newFileName, updateName = false, baseHash } = input;
  const { library, schedule, clock, editor } = context;
  const entry = await library.get(fileName);
  if (baseHash !== undefined) assertUnchanged(entry, baseHash);
  assertVisibleName('newFileName', newFileName);
  await assertNotActive(entry, context, 'rename the workflow');
  if (newFileName === fileName) return { fileName, name: getName(entry), references: [] };
  const references = await findCallers(entry, input, context);
  const text = updateName ? getText(editName(entry.spec.text, newFileName)) : entry.spec.text;
  await editor.recordExternalChange(entry);
  library.rename(fileName, newFileName);
  await editor.recordRenamed(await library.get(newFileName), fileName, caller.name);
  const isSuspended = await schedule.isSuspended(fileName);
  if (isSuspended !== (await schedule.isSuspended(newFileName)))
    await schedule.setSuspended(newFileName, isSuspended, clock.now());
  if (isSuspended) await schedule.setSuspended(fileName, false, clock.now());
  if (text !== entry.spec.text) await save(await library.get(newFileName), text, context, caller);
  const renamed = await library.get(newFileName);
  const rewrite = rewriteForRename(entry, renamed);
  const updated = await updateReferences(entry, references, rewrite, (other, changed) =>
    save(other, changed, context, caller),
  );
  return { fileName: newFileName, name: getName(renamed), references: updated };
}

/** Saves a changed text. Rejects with `invalid_spec` if a valid file would get errors. Returns the hash. */
async function save(
  entry: LibraryEntry,
  text: string,
  { library, editor }: EngineContext,
  caller: Caller,
): Promise<string> {
  if (text === entry.spec.text) return hashText(text);
  const wasValid = entry.spec.diagnostics.every(({ severity }) => severity !== 'error');
  if (wasValid) requireValid(await library.check(text, entry.file));
  await editor.recordExternalChange(entry);
  library.replace(entry.fileName, text);
  await editor.recordSaved(await library.get(entry.fileName), { by: caller.name });
  return hashText(text);
}

function getText(edited: EditedText): string {
  if ('text' in edited) return edited.text;
  throw new AppError('invalid_spec', `The file cannot be changed. ${edited.reason}`);
}

const hasSchedule = ({ spec }: LibraryEntry): boolean =>
  Object.values(spec.workflows[0]?.schedule ?? {}).some((times) => times.length > 0);

async function stopAll(fileName: string, context: EngineContext, caller: Caller): Promise<number> {
  return (await dagRunHandlers['dags.stopAll']({ fileName }, context, caller)).stopped;
}

async function assertNotActive(
  entry: LibraryEntry,
  { store }: EngineContext,
  options: string,
): Promise<void> {
  const name = getName(entry);
  const [run] = await store.listRuns({ name, statuses: activeRunStatuses, topLevelOnly: true, limit: 1 });
  if (run === undefined) return;
  throw new AppError(
    'still_running',
    `Run ${run.dagRunId} of ${name} is ${run.status}. Wait for it to end or stop it, then ${options}.`,
    { details: { dagRunId: run.dagRunId } },
  );
}

import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import type { OperationInput, OperationOutput } from '../../contract/operations.ts';
import { commentOutLines, importCrontab } from '../../edit/import/crontab.ts';
import { readParamForm } from '../../run/params/read-param-form.ts';
import { checkChannels, usesChannels } from '../../home/library/check-references.ts';
import type { SpecFile } from '../../home/library/read-spec.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EngineContext } from '../engine-context.ts';
import { createFinder } from '../../home/library/find-lines.ts';
import { listDags, getName, toDagSummary } from './dag-list.ts';
import { getOrigin, type HandlersFor, parseTextCursor, toTextCursor } from './handlers.ts';

/** Operations on workflows. */
export const dagHandlers: HandlersFor<
  'dags.list' | 'dags.get' | 'dags.start' | 'dags.validate' | 'dags.importCrontab'
> = {
  'dags.list': listDags,
  'dags.get': async ({ fileName }, context) => {
    const entry = await context.library.get(fileName);
    const [workflow, ...localDags] = entry.spec.workflows;
    const latest = await context.store.latestRuns([getName(entry)]);
    const missed = Map.groupBy(await context.expectations.listOpen(), ({ dag }) => dag);
    return {
      ...(await toDagSummary(
        entry,
        { latest, suspended: await context.schedule.listSuspended(), missed },
        context,
      )),
      file: entry.file,
      spec: entry.spec.text,
      diagnostics: [
        ...entry.spec.diagnostics,
        ...(await findChannelProblems(entry.spec, entry.file, context)),
      ],
      workflow,
      ...(workflow && {
        paramForm: await readParamForm(workflow, { file: entry.file, clock: context.clock }),
      }),
      localDags,
    };
  },
  'dags.start': ({ fileName, dagName, ...options }, context, caller) =>
    context.startRun({
      ...options,
      source: { fileName },
      ...getOrigin(caller),
      name: dagName,
      trace: caller.trace,
    }),
  'dags.validate': async ({ spec, name }, context) => {
    assertSpecSize(spec);
    const { library } = context;
    const checked = await library.check(spec, name, 'check');
    const { workflows, diagnostics } = checked;
    const errors = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => formatDiagnostic(diagnostic));
    return {
      valid: errors.length === 0,
      errors,
      diagnostics: [...diagnostics, ...(await findChannelProblems(checked, name, context))],
      baseDiagnostics: [...library.checkBase()],
      dag: workflows[0],
    };
  },
  'dags.importCrontab': (input) => convertCrontab(input),
};

function convertCrontab({
  crontab,
  system,
  group = 'crontab',
  spread,
}: OperationInput<'dags.importCrontab'>): OperationOutput<'dags.importCrontab'> {
  const result = importCrontab(crontab, system, { group, spread });
  if (!result.ok) throw new AppError('bad_request', result.reason);
  const workflows = result.workflows.map(({ name, text, notes, job, mailTo }) => ({
    name,
    spec: text,
    notes: [...notes],
    line: job?.line ?? 0,
    ...(mailTo !== undefined && { mailTo: [...mailTo] }),
  }));
  return {
    workflows,
    notes: [...result.notes],
    collisions: [...(result.collisions ?? [])],
    editedCrontab: commentOutLines(crontab, new Set(workflows.map(({ line }) => line))),
  };
}

/** Warns about channels in `notify` that do not exist. */
async function findChannelProblems(
  spec: SpecFile,
  file: string | undefined,
  { notifications }: EngineContext,
): Promise<Diagnostic[]> {
  if (!usesChannels(spec)) return [];
  const { store } = await notifications();
  const channels = await store.listChannels();
  return checkChannels(
    spec.text,
    file,
    channels.map(({ owner }) => owner),
  );
}

/**
 * Maximum size in bytes of a text that is validated without being saved, because any user with access to workflows can
 * request it.
 */
const maxCheckBytes = 1024 * 1024;

function assertSpecSize(spec: string): void {
  const bytes = countUtf8Bytes(spec);
  if (bytes <= maxCheckBytes) return;
  const size = (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toFixed(1);
  throw new AppError(
    'bad_request',
    `spec: the source is ${size} MiB (the limit is 1 MiB). Run "engine validate FILE" on the engine host for larger files.`,
    { details: { field: 'spec' } },
  );
}

const defaultPageSize = 50;

/** Operations that search all workflow files. */
export const dagSearchHandlers: HandlersFor<'dags.search' | 'dags.tags'> = {
  'dags.search': async ({ q, regex = false, limit = defaultPageSize, cursor }, { library, clock }) => {
    const find = createFinder(q, regex, clock);
    const [after] = parseTextCursor(cursor, 1) ?? [];
    const entries = library.list().filter(({ file }) => after === undefined || path.basename(file) > after);
    const results: OperationOutput<'dags.search'>['results'] = [];
    for (const [index, entry] of entries.entries()) {
      const { matches, more } = await find(entry.spec.text);
      if (matches.length > 0) results.push({ fileName: entry.fileName, name: getName(entry), matches, more });
      const isLast = index === entries.length - 1;
      if (results.length === limit)
        return isLast ? { results } : { results, nextCursor: toTextCursor([path.basename(entry.file)]) };
      // Let other tasks run between two files.
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
    return { results };
  },
  'dags.tags': (_input, { library }) => {
    const tags = library.list().flatMap(({ spec }) => spec.workflows[0]?.tags ?? []);
    return { tags: [...new Set(tags)].toSorted() };
  },
};

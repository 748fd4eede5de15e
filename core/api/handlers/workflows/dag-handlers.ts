import { formatDiagnostic } from '../../../spec/format-diagnostic.ts';
import { listDags, nameOf, summarize } from './dag-list.ts';
import { originOf, type HandlersFor } from '../handlers.ts';

/** Operations on workflows as they are. */
export const dagHandlers: HandlersFor<'dags.list' | 'dags.get' | 'dags.start' | 'dags.validate'> = {
  'dags.list': listDags,
  'dags.get': ({ fileName }, parts) => {
    const entry = parts.library.get(fileName);
    const [workflow, ...localDags] = entry.spec.workflows;
    const latest = parts.store.latestRuns([nameOf(entry)]);
    return {
      ...summarize(entry, { latest, suspended: parts.schedule.listSuspended() }, parts),
      file: entry.file,
      spec: entry.spec.text,
      diagnostics: [...entry.spec.diagnostics],
      workflow,
      localDags,
    };
  },
  'dags.start': ({ fileName, dagName, ...wish }, parts, caller) =>
    parts.startRun({
      ...wish,
      source: { fileName },
      ...originOf(caller),
      name: dagName,
      trace: caller.trace,
    }),
  'dags.validate': ({ spec, name }, { library }) => {
    const { workflows, diagnostics } = library.check(spec, name);
    const errors = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => formatDiagnostic(diagnostic));
    return {
      valid: errors.length === 0,
      errors,
      diagnostics: [...diagnostics],
      baseDiagnostics: [...library.checkBase()],
      dag: workflows[0],
    };
  },
};

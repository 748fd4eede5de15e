import { parseGlob } from '../base/glob.ts';
import { type Report, findField, getField, getText, type SourceRef } from './source.ts';

/** Reads `inputFiles` or `outputFiles`: one name or a list, each below the step's directory. */
export function readArtifactNames(
  step: SourceRef,
  key: 'inputFiles' | 'outputFiles',
  runsWorkflow: boolean,
  report: Report,
): string[] | undefined {
  const field = findField(step, key);
  if (field === undefined) return undefined;
  if (runsWorkflow)
    report.error(
      field,
      `"${key}" has no effect on a step that runs a workflow, because it has no working directory. Move it to the steps of that workflow.`,
    );
  const refs =
    field.node.kind === 'list' ? field.node.items.map((_, index) => getField(field, index)) : [field];
  return refs.map((at) => {
    const name = getText(at.node);
    const nameError = findNameError(name);
    if (nameError !== undefined)
      report.error(at, `${JSON.stringify(name.slice(0, 80))} in "${key}" ${nameError}`);
    else if (key === 'outputFiles') checkGlob(at, name, `"${key}"`, report);
    return name;
  });
}

/** Reports a glob that exceeds the limits, and warns about one that bash reads differently. */
export function checkGlob(source: SourceRef, text: string, where: string, report: Report): void {
  const glob = parseGlob(text);
  const shown = JSON.stringify(text.slice(0, 80));
  if ('problem' in glob) report.error(source, `${shown} in ${where} ${glob.problem}`);
  else if (glob.extended !== undefined)
    report.warning(
      source,
      `${shown} in ${where} contains an extended glob, "${glob.extended}…)", which is matched literally. Use braces for alternatives, such as "{a,b}".`,
    );
}

/** Returns why a string cannot be the name of an artifact, to follow the name. */
function findNameError(name: string): string | undefined {
  if (name.trim() === '') return 'is empty. Add a file name, or remove it.';
  if (name.startsWith('/') || name.startsWith('~') || /^[A-Za-z]:/.test(name) || name.includes('\\'))
    return 'is not a relative path below the directory of the step. Use a relative path with "/" separators.';
  if (name.split('/').some((part) => part === '..' || part === '.' || part === ''))
    return 'points outside the directory of the step. Remove "." and "..", and empty names.';
  return undefined;
}

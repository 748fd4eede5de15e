import { parseGlob } from '../../base/text/glob.ts';
import type { Report } from '../source/report.ts';
import { findPlace, placeOf, textOf, type Place } from '../source/source-node.ts';

/** Reads `inputFiles` or `outputFiles`: one name or several, each below the directory of the step. */
export function readArtifactNames(
  step: Place,
  key: 'inputFiles' | 'outputFiles',
  runsWorkflow: boolean,
  report: Report,
): string[] | undefined {
  const place = findPlace(step, key);
  if (place === undefined) return undefined;
  if (runsWorkflow)
    report.error(
      place,
      `"${key}" of a step that runs a workflow has nothing to be about: it works in no directory. Move it to the steps of that workflow.`,
    );
  const places =
    place.node.kind === 'list' ? place.node.items.map((_, index) => placeOf(place, index)) : [place];
  return places.map((at) => {
    const name = textOf(at.node);
    const fault = findFault(name);
    if (fault !== undefined) report.error(at, `${JSON.stringify(name.slice(0, 80))} in "${key}" ${fault}`);
    else if (key === 'outputFiles') checkGlob(at, name, `"${key}"`, report);
    return name;
  });
}

/** Reports a glob that is over the limits, and warns of one that bash would read in another way. */
export function checkGlob(place: Place, text: string, where: string, report: Report): void {
  const glob = parseGlob(text);
  const shown = JSON.stringify(text.slice(0, 80));
  if ('problem' in glob) report.error(place, `${shown} in ${where} ${glob.problem}`);
  else if (glob.extended !== undefined)
    report.warning(
      place,
      `${shown} in ${where} has an extended glob, "${glob.extended}…)", which is matched as plain characters. List the alternatives in braces, as in "{a,b}".`,
    );
}

/** What keeps a text from naming files of a step, in words that follow it. */
function findFault(name: string): string | undefined {
  if (name.trim() === '') return 'is empty. Name a file, or remove it.';
  if (name.startsWith('/') || name.startsWith('~') || /^[A-Za-z]:/.test(name) || name.includes('\\'))
    return 'is no path below the directory of the step. Write it relative to that, with "/" between names.';
  if (name.split('/').some((part) => part === '..' || part === '.' || part === ''))
    return 'leads elsewhere than below the directory of the step. Leave out "." and "..", and empty names.';
  return undefined;
}

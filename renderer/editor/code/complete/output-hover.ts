import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { formatFull } from '../../../format/time.ts';
import type { PreviousOutput, PreviousOutputs } from '../../run/model/previous-outputs.ts';

const reference = /\$\{([A-Za-z_]\w*)[^}]*\}|\$([A-Za-z_]\w*)/g;
const shownCharacters = 800;

/** Returns the reference at a position in a line. */
export function findReference(
  line: string,
  at: number,
): { readonly name: string; readonly from: number; readonly to: number } | undefined {
  for (const { index, 0: whole, 1: braced, 2: bare } of line.matchAll(reference))
    if (index <= at && at <= index + whole.length)
      return { name: (braced ?? bare)!, from: index, to: index + whole.length };
  return undefined;
}

/** Shows the value of a referenced output in the last run. */
export const outputHover = (outputs: () => PreviousOutputs) =>
  hoverTooltip((view, at): Tooltip | null => {
    const line = view.state.doc.lineAt(at);
    const found = findReference(line.text, at - line.from);
    const output = found && outputs().get(found.name);
    if (!output) return null;
    const { from, to } = found;
    return {
      ...{ pos: line.from + from, end: line.from + to, above: true },
      create: () => ({ dom: drawOutput(output) }),
    };
  });

function drawOutput({ name, value, step, createdAt }: PreviousOutput): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-fieldHelp';
  const [title, origin, text] = ['strong', 'p', 'pre'].map((tag) => document.createElement(tag));
  title!.textContent = name;
  origin!.textContent = `Output of ${step}, run of ${formatFull(createdAt)}`;
  text!.textContent = value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value;
  box.append(title!, origin!, text!);
  return box;
}

const focusable = 'input, textarea, select, button, [contenteditable="true"]';

/** What of an entry can have the focus, in its order. */
export const findControls = (entry: Element): HTMLElement[] => [
  ...entry.querySelectorAll<HTMLElement>(focusable),
];

/**
 * Puts the focus into an entry of a list, or into the last when there are fewer.
 * @param control which of its controls; the first that can take it for one that cannot
 */
export function focusEntry(list: Element, place: number, control: number): void {
  const entry = list.children[Math.min(place, list.children.length - 1)];
  if (!entry) return;
  const controls = findControls(entry);
  const wanted = controls[control];
  const isUsable = wanted !== undefined && !wanted.matches(':disabled');
  (isUsable ? wanted : controls.find((one) => !one.matches(':disabled')))?.focus();
}

/**
 * Adds an entry to the list of a field, and puts the focus into it: what stands there at first is replaced by typing.
 * @param from what was pressed
 * @param add whether it was added
 */
export async function addEntry(from: Element, add: () => Promise<boolean>): Promise<void> {
  const field = from.closest('[data-field], [role="listitem"]');
  if (!(await add())) return;
  const added = field?.querySelector('[role="list"]')?.lastElementChild;
  const control = added?.querySelector<HTMLElement>('input, textarea, select');
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
}

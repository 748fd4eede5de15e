const focusable = 'input, textarea, select, button, [contenteditable="true"]';

/** Returns the focusable controls of an entry, in order. */
export const findControls = (entry: Element): HTMLElement[] => [
  ...entry.querySelectorAll<HTMLElement>(focusable),
];

/**
 * Focuses an entry of a list, or the last one if there are fewer.
 * @param control index of its control; the first focusable one if that cannot be focused
 */
export function focusEntry(list: Element, index: number, control: number): void {
  const entry = list.children[Math.min(index, list.children.length - 1)];
  if (!entry) return;
  const controls = findControls(entry);
  const wanted = controls[control];
  const isUsable = wanted !== undefined && !wanted.matches(':disabled');
  (isUsable ? wanted : controls.find((one) => !one.matches(':disabled')))?.focus();
}

/**
 * Adds an entry to the list of a field and focuses it, with its initial text selected.
 * @param from the pressed button
 * @param add returns whether the entry was added
 */
export async function addEntry(from: Element, add: () => Promise<boolean>): Promise<void> {
  const field = from.closest('[data-field], [role="listitem"]');
  if (!(await add())) return;
  const added = field?.querySelector('[role="list"]')?.lastElementChild;
  const control = added?.querySelector<HTMLElement>('input, textarea, select');
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
}

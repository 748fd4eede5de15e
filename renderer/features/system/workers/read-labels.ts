/** Parses labels such as `gpu=true,region=eu`; returns the error as a sentence. */
export function readLabels(
  text: string,
): { readonly labels: Readonly<Record<string, string>> } | { readonly fault: string } {
  const labels: Record<string, string> = {};
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '')
      return { fault: `Invalid label “${pair}”. Use name=value pairs such as gpu=true,region=eu.` };
    if (Object.hasOwn(labels, name)) return { fault: `Duplicate label “${name}”. Remove one.` };
    labels[name] = pair.slice(at + 1).trim();
  }
  return { labels };
}

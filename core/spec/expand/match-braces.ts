/**
 * Returns the position of the closing `}` for the position of each `${`, found in one pass. An unclosed brace has no
 * entry.
 */
export function matchBraces(text: string): ReadonlyMap<number, number> {
  const closingBraces = new Map<number, number>();
  const open: number[] = [];
  let backslashes = 0;
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position];
    if (character === '$' && text[position + 1] === '{' && backslashes % 2 === 0) open.push(position);
    else if (character === '}' && open.length > 0) closingBraces.set(open.pop()!, position);
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return closingBraces;
}

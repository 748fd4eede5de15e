/**
 * Parses a JSON path such as `$.pull_request.labels[0]['name']`: keys after a dot or quoted in brackets, and indexes
 * in brackets, from the end if negative. `$` alone is the whole value.
 * @returns undefined if the path is invalid
 */
export function readPayloadPath(text: string): (string | number)[] | undefined {
  if (!text.startsWith('$')) return undefined;
  const path: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return undefined;
    const [whole, key, single, double, index] = match;
    path.push(index === undefined ? (key ?? single ?? double)! : Number(index));
    at += whole.length;
  }
  return path;
}

const part = /\.([^.[\]'"\s]+)|\['([^']*)'\]|\["([^"]*)"\]|\[(-?\d{1,9})\]/y;

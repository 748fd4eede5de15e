/**
 * Returns a predicate for service paths, which need no credentials. Percent escapes are not decoded, so escaped paths
 * need credentials.
 * @param patterns paths in which `*` matches any part of one segment
 */
export function matchServicePaths(patterns: readonly string[]): (path: string) => boolean {
  const split = patterns.map((pattern) => pattern.split('/').map((segment) => segment.split('*')));
  return (path) => {
    const segments = path.split('/');
    return split.some(
      (patternSegments) =>
        patternSegments.length === segments.length &&
        patternSegments.every((each, index) => fits(each, segments[index]!)),
    );
  };
}

/** Whether the parts occur in the segment in order, the first at its start and the last at its end. */
function fits([first = '', ...rest]: readonly string[], segment: string): boolean {
  const last = rest.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let end = first.length;
  for (const part of rest) {
    const start = segment.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return segment.length - last.length >= end && segment.endsWith(last);
}

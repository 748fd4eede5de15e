/**
 * Whether a path is one of the service paths (seed 1, Authentication). Percent escapes are not undone: such a path needs
 * credentials.
 * @param patterns paths in which `*` stands for a part of one segment
 */
export function matchServicePaths(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^/]*')}$`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
}

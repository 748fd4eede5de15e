import { findArea, findImportViolation, resolveRelative } from '../architecture.ts';
import { findCycle } from './find-cycle.ts';
import type { SourceImport } from './read-imports.ts';

/** An area that imports from another one. */
export interface AreaImport {
  readonly from: string;
  readonly to: string;
  /** According to the table in `scripts/areas.ts`. */
  readonly isAllowed: boolean;
}

/** Counts the imports between each pair of areas. */
export function countAreaImports(imports: ReadonlyMap<string, readonly SourceImport[]>): AreaImport[] {
  const arrows = new Map<string, AreaImport>();
  for (const [file, found] of imports)
    for (const { specifier } of found.filter((one) => one.specifier.startsWith('.'))) {
      const [from, to] = [findArea(file)?.path, findArea(resolveRelative(file, specifier))?.path];
      if (from === undefined || to === undefined || from === to) continue;
      const key = `${from} ${to}`;
      const isAllowed = findImportViolation(file, specifier) === undefined;
      arrows.set(key, { from, to, isAllowed: isAllowed && arrows.get(key)?.isAllowed !== false });
    }
  return [...arrows.values()];
}

/** Returns a cycle of run-time imports, with the first file repeated at the end. */
export const findRuntimeCycle = (
  imports: ReadonlyMap<string, readonly SourceImport[]>,
): string[] | undefined =>
  findCycle(
    new Map(
      Array.from(imports, ([file, found]) => [
        file,
        found
          .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
          .map(({ specifier }) => resolveRelative(file, specifier)),
      ]),
    ),
  );

import { findArea, findImportViolation, resolveRelative } from '../architecture.ts';
import { findCycle } from './find-cycle.ts';
import type { SourceImport } from './read-imports.ts';

/** One area that imports from another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** By the table in `scripts/areas.ts`. */
  readonly isAllowed: boolean;
}

/** Each pair of areas of which one imports from the other, once. */
export function countArrows(imports: ReadonlyMap<string, readonly SourceImport[]>): Arrow[] {
  const arrows = new Map<string, Arrow>();
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

/** A cycle of imports that are there at run time, with the first file once more at its end. */
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

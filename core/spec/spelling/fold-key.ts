/** Removes case and underscores: `working_dir` and `WorkingDir` become `workingdir`. */
export function normalizeKey(key: string): string {
  return key.replaceAll('_', '').toLowerCase();
}

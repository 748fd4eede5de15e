/** Folds case and underscores away: `working_dir` and `WorkingDir` are `workingdir`. */
export function foldKey(key: string): string {
  return key.replaceAll('_', '').toLowerCase();
}

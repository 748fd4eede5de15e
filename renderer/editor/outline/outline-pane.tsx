/** The steps of the workflow as a tree. */
export function OutlinePane() {
  return <section aria-label="Outline" />;
}

import styles from './graph.module.css';

/** SVG markers for arrow heads, referenced as `url(#arrow-LOOK)`; one set serves all lines of a canvas. */
export function ArrowHeads({ looks }: { readonly looks: readonly string[] }) {
  return (
    <svg className={styles.markers} aria-hidden="true">
      <defs>
        {looks.map((look) => (
          <marker
            key={look}
            id={`arrow-${look}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path className={styles.arrow} data-variant={look} d="M1 1l6 3-6 3z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

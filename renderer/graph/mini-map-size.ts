/** Pixels, as in graph.module.css: React Flow draws the overview for a size that it is told, and cuts off what is beyond. */
export const miniMapSize = { width: 168, height: 104 } as const;

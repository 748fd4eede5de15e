/** In pixels, as in graph.module.css: React Flow draws the minimap for a specified size and clips the rest. */
export const miniMapSize = { width: 168, height: 104 } as const;

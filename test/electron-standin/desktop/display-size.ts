/** The only display of the stand-in's desktop, in pixels. */
export const PRIMARY_DISPLAY_SIZE = { width: 1920, height: 1080 } as const;

/** The height of its panel, which maximized windows do not cover. */
export const PANEL_HEIGHT = 40;

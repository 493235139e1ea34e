import { fileURLToPath } from 'node:url';

const built = (name: string) => fileURLToPath(new URL(`../../../${name}/`, import.meta.url));

/** The folder to which tools/build.mjs writes the built console: `dist/console`. */
export const consoleFolder = built('console');
/** The folder of the built Connect UI and its embed script: `dist/connect`. */
export const connectFolder = built('connect');

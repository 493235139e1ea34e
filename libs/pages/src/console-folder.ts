import { fileURLToPath } from 'node:url';

/** The folder to which tools/build.mjs writes the built console: `dist/console`. */
export const consoleFolder = fileURLToPath(new URL('../../../console/', import.meta.url));

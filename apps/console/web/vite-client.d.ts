declare module '*.css';

interface ImportMeta {
  /** Constants that the build writes in place of these names. */
  readonly env: {
    /** The path that the files of the page are below, such as `/console/`. */
    readonly BASE_URL: string;
  };
}

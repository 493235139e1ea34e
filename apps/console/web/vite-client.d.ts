declare module '*.css';

interface ImportMeta {
  /** What the build puts in its place. */
  readonly env: {
    /** The path that the files of the page are below, such as `/console/`. */
    readonly BASE_URL: string;
  };
}
